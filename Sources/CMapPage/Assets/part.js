// SPDX-License-Identifier: Apache-2.0

import { say } from "./notice.js";
import { sentence } from "./refusals.js";

/// A part of the page whose module comes later: when nothing else is to do, or when it is first needed.
export class Part {
  /// The part; null before its module has come.
  now = null;
  #asked = null;
  #isPressed = false;

  /// - `load`: imports the module.
  /// - `make`: makes the part of the module.
  constructor(load, make = (module) => module) { Object.assign(this, { load, make }); }

  /// Calls `then` with the part, at once if it is here. If the module does not come, says so, and returns undefined.
  use(then) {
    if (this.now) return then(this.now);
    return this.get().then(() => then(this.now),
      // The file of another version of the page fits no more.
      (error) => say(sentence({ code: error.status === 404 ? "" : "unavailable" })));
  }

  /// As `use`, for a button: until the module is here, only the first press counts.
  press(then) {
    if (this.#isPressed && !this.now) return undefined;
    this.#isPressed = true;
    return this.use(then);
  }

  /// Loads the module. It is asked for again after a failure.
  get() {
    return this.#asked ??= this.load().then((module) => { this.now = this.make(module); })
      .catch((error) => {
        [this.#asked, this.#isPressed] = [null, false];
        throw error;
      });
  }
}
