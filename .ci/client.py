#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client in another language, written from Protocol.md, Accounts.md and the .proto files alone.

client.py ENDPOINT NAME CODE OTHERS-LANDMARK, with the new password on standard input; ENDPOINT tells the service's key.
It signs in with the invitation, writes, follows the feed, and ends its key. Needs pyzmq with CURVE, and the messages
that protoc makes.
"""
import hashlib
import os
import sys
import time

import zmq
from zmq.utils import z85

import accounts_pb2 as accounts
import waymark_pb2 as waymark

PATIENCE = 20.0
EVERYTHING = b"WM\x02F\x00"  # the topic of the filter that is empty


class Refused(Exception):
    def __init__(self, failure):
        super().__init__(f"{failure.code}: {failure.message}")
        self.code = failure.code


class Connection:
    """Requests on one DEALER socket, one at a time."""

    def __init__(self, context, endpoint, keys=None, server=None):
        self.socket = context.socket(zmq.DEALER)
        self.socket.linger = 0
        if server:
            encrypt(self.socket, keys, server)
        self.client, self.sequence = os.urandom(16), 0
        # By itself pyzmq names the monitor after the socket's descriptor, which a socket that is being closed may have had.
        self.monitor = self.socket.get_monitor_socket(addr=f"inproc://monitor.{self.client.hex()}")
        self.socket.connect(endpoint)

    def ask(self, patience=PATIENCE, **command):
        self.sequence += 1
        header = waymark.RequestHeader(client=self.client, sequence=self.sequence, timeout_ms=int(patience * 1000))
        request = waymark.Request(**command)
        frames = [b"WM\x01R", header.SerializeToString(), request.SerializeToString()]
        end = time.monotonic() + patience
        while True:
            # A copy keeps its number, so it is done once however often it arrives.
            self.socket.send_multipart(frames)
            while self.socket.poll(min(5_000, max(0, int(1_000 * (end - time.monotonic()))))):
                signature, told, body = self.socket.recv_multipart()
                told = waymark.ReplyHeader.FromString(told)
                if signature != b"WM\x01A" or (told.client, told.sequence) != (self.client, self.sequence):
                    continue
                reply = waymark.Reply.FromString(body)
                if reply.WhichOneof("result") == "failure":
                    raise Refused(reply.failure)
                return getattr(reply, reply.WhichOneof("result"))
            if time.monotonic() > end:
                raise TimeoutError(f"no answer to {request.WhichOneof('command')}")


def encrypt(socket, keys, server):
    socket.curve_publickey, socket.curve_secretkey = keys
    socket.curve_serverkey = z85.encode(server)


class Feed:
    """The topic of everything, in version 2: one frame, the topic and a FeedBatch."""

    def __init__(self, context, welcome, keys):
        assert welcome.feed_version >= 2, "this storage publishes no batches"
        self.socket = context.socket(zmq.SUB)
        self.socket.linger = 0
        if welcome.changes_key:
            encrypt(self.socket, keys, welcome.changes_key)
        self.socket.connect(welcome.changes_endpoint)
        self.socket.subscribe(EVERYTHING)
        self.number = None

    def next(self, patience=PATIENCE):
        """A batch; None if there was silence."""
        if not self.socket.poll(int(patience * 1000)):
            return None
        frame = self.socket.recv()
        assert frame.startswith(EVERYTHING), "another topic"
        batch = waymark.FeedBatch.FromString(frame[len(EVERYTHING) :])
        # Within a run, consecutive numbers prove that nothing was lost between.
        if self.number is not None:
            assert batch.n - len(batch.changes) == self.number, f"a gap: {self.number}, then {batch.n}"
        self.number = batch.n
        return batch


def main(endpoint, name, code, others):
    password = sys.stdin.buffer.readline().rstrip(b"\n")
    context = zmq.Context()
    told = Connection(context, endpoint).ask(server_key=accounts.ServerKey())
    print(f"the server-key endpoint names {told.sign_in_endpoint}")

    keys = zmq.curve_keypair()
    signing = Connection(context, told.sign_in_endpoint, keys, told.key)
    try:
        signing.ask(sign_in=accounts.SignIn(name=name, password=b"guess, guess", label="python"))
        raise AssertionError("a wrong password was taken")
    except Refused as refused:
        assert refused.code == 430, refused
    account = signing.ask(sign_in=accounts.SignIn(name=name, password=password, code=code, label="python")).account
    print(f"signed in as {account.name}, role {accounts.Role.Name(account.role)}")

    # The key's fingerprint, which people compare: the beginning of its SHA-256.
    digest = hashlib.sha256(told.key).hexdigest()[:32]
    print("fingerprint", ":".join(digest[place : place + 4] for place in range(0, 32, 4)))

    # The socket for requests is three ports below the endpoint that tells the key.
    host, _, port = endpoint.rpartition(":")
    requests = Connection(context, f"{host}:{int(port) - 3}", keys, told.key)
    welcome = requests.ask(hello=waymark.Hello(min_protocol=1, max_protocol=1, agent="client.py"))
    feed = Feed(context, welcome, keys)
    assert feed.next() is not None, "no beacon"
    place = dict(lat=-33.8568, lng=151.2153)
    added = requests.ask(add=waymark.Add(draft=waymark.LandmarkDraft(name="From Python", **place)))
    noted = requests.ask(add_note=waymark.AddNote(landmark=added.id, text="Written from the page alone"))
    print(f"added at revision {added.rev}, noted at {noted.rev}")

    seen = []
    while len(seen) < 2:
        batch = feed.next()
        assert batch is not None, "the feed is silent"
        seen += [change.rev for change in batch.changes]
    assert seen == [added.rev, noted.rev], seen
    print("heard both, once and in order")

    hits = requests.ask(near=waymark.Near(limit=1, **place)).hits
    assert hits[0].landmark.id == added.id and hits[0].distance_m < 0.001
    try:
        requests.ask(edit=waymark.Edit(id=bytes.fromhex(others.replace("-", "")), name="Mine"))
        raise AssertionError("another's landmark was edited")
    except Refused as refused:
        assert refused.code == 401, refused
        print(f"refused: {refused}")

    requests.ask(end_key=accounts.EndKey(key=z85.decode(keys[0])))
    try:
        requests.ask(patience=5, who_am_i=accounts.WhoAmI())
        raise AssertionError("a key that has ended was answered")
    except Refused as refused:
        assert refused.code == 431, refused
    time.sleep(1)
    while feed.next(0) is not None:
        pass
    assert feed.next(3) is None, "a key that has ended still follows"
    print("the key has ended: requests are refused, and the feed is silent")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Refused, TimeoutError, AssertionError) as error:
        sys.exit(f"client.py: {error}")
