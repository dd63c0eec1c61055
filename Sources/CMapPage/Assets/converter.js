// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { dialog } from "./dialog.js";
import { button, element } from "./dom.js";
import { recall, store } from "./keep.js";
import { amount as typed } from "./form.js";

const home = "AUD", key = "waymark-currency";
let foreign = recall(key) ?? "USD";

/// Opens a dialog that converts amounts of a foreign currency to Australian dollars while the person types.
export async function openConverter() {
  const amount = element("input", { name: "amount", value: "100", inputMode: "decimal", autocomplete: "off", oninput: () => convert() });
  const currency = element("select", { name: "currency" });
  const result = element("p", { className: "sum", role: "status" }), date = element("p", { className: "small" });
  const problem = element("p", { role: "alert" });
  let asked = 0;
  async function convert() {
    const number = (asked += 1);
    try {
      const sum = typed(amount.value);
      if (sum === null) throw new Error("Write the sum as a number, such as 12.50.");
      const found = await api.convert({ amount: sum, from: currency.value, to: home });
      // The answer for an older amount must not replace the answer for a newer one.
      if (number !== asked) return;
      const money = new Intl.NumberFormat("en-AU", { style: "currency", currency: home, currencyDisplay: "code" });
      [result.textContent, problem.textContent] = [money.format(found.result), ""];
      date.textContent = `Rates of ${found.date}`;
    } catch (error) {
      if (number === asked) [result.textContent, problem.textContent] = ["", error.message];
    }
  }
  currency.addEventListener("change", () => {
    foreign = currency.value;
    store(key, foreign);
    convert();
  });
  dialog("Into Australian dollars", (close) => element("div", {},
    element("label", {}, "Sum", amount), element("label", {}, "Currency", currency), result, date, problem,
    element("div", { className: "row" }, button("Close", () => close()))));
  amount.select();
  try {
    const { rates } = await api.rates();
    for (const code of Object.keys(rates)) currency.append(element("option", { value: code, selected: code === foreign }, code));
    convert();
  } catch (error) {
    problem.textContent = error.message;
  }
}
