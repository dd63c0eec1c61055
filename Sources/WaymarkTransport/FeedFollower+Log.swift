// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// Handles pages of the change log, and requests the next one.
extension FeedFollower {
    /// Handles the answer to the latest pull. Call it on the event loop.
    public func pulled(_ result: Result<PulledPage, ServiceError>) {
        guard !isOver else { return }
        switch result {
        case .success(let page):
            let before = receiver.position.rev
            let hasWaited = pulse.page(isLast: page.isLast, Monotonic.milliseconds)
            perform(receiver.page(changes: page.changes, through: page.through, run: page.run))
            // If the page did not advance the position, the next page is requested after a pause instead of at once.
            let hasMoved = receiver.position.rev != before
            if !receiver.isPulling, !receiver.isCaughtUp { retryLater() }
            if hasMoved || hasWaited { pullAgain() }
            // Until its first message a feed has no run, so the receiver cannot know whether it has caught up.
            if pulse.hasReadAll, !hasMoved, !receiver.isCaughtUp { hooks.tell(.reached(rev: receiver.position.rev)) }
        case .failure(let error):
            receiver.pullFailed()
            switch error.code {
            // Repeating the request would get the same answer.
            case .compacted, .epochChanged, .futureRevision, .denied, .keyEnded, .accountEnded, .protocolVersion,
                .invalid, .tooLarge, .badFrame,
                .unknownCommand:
                end(error)
            default: retryLater(after: UInt64(error.retryAfter))
            }
        }
    }

    /// Pulls again after a short pause while nothing is received from the feed. The caller leaves out a page that
    /// brought nothing and for which the service did not wait, because such a service lets no request wait; after it,
    /// the next check for silence pulls again.
    private func pullAgain() {
        guard pulse.isLost else { return }
        loop.schedule(after: .milliseconds(pulse.timing.pagePause)) { [weak self] in
            guard let self, !self.isOver, self.pulse.isLost else { return }
            self.perform(self.receiver.silence())
        }
    }

    private func retryLater(after milliseconds: UInt64 = 0) {
        let pause = Duration.milliseconds(max(pulse.timing.retryPause, milliseconds))
        loop.schedule(after: pause) { [weak self] in
            guard let self, !self.isOver else { return }
            self.perform(self.receiver.retry())
        }
    }
}
