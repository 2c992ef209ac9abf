// The baseline of the records bench in Node: the same statements with better-sqlite3, their rows as JSON.
//
//   node records.mjs DATABASE QUESTIONS
//
// Reads a line a command: "show 3 0" prints the answer to the first of the fourth kind of question; "time 3 200"
// asks 200 of that kind, one after another, and prints how many nanoseconds one took.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";

const [path, questionsPath] = process.argv.slice(2);
const database = new Database(path, { readonly: true, fileMustExist: true });
const limit = 50;

const number = (text) => (text === null ? null : Number(text));
const point = (row) => ({
  id: row.id,
  name: row.name,
  total: number(row.total),
  customer: { id: row.customer, name: row.customer_name },
});
const order = (row) => ({
  id: row.id,
  name: row.name,
  customer: { id: row.customer, name: row.customer_name },
  owner: { id: row.owner, name: row.owner_name },
  status: row.status,
  total: number(row.total),
  placed_on: row.placed_on,
  // Stored as 2026-11-30T17:05:00Z, shown with an offset.
  created_at: `${row.created_at.slice(0, -1)}+00:00`,
});

const questions = JSON.parse(readFileSync(questionsPath, "utf8")).map((question) => {
  const shape = { point, page: order }[question.kind];
  const page = database.prepare(question.page);
  const count = question.count && database.prepare(question.count).pluck();
  const records = (bound) => {
    const rows = page.all(bound);
    const truncated = rows.length > limit;
    if (truncated) rows.pop();
    return { records: rows.map(shape), returned: rows.length, truncated };
  };
  // What is counted is of the same state as the page.
  const both = database.transaction((bound) => ({ ...records(bound), total: count.get(bound) }));
  const answer = count ? both : records;
  // The statements name what is bound by letters.
  const bound = question.bound.map(([a, b]) => (a === undefined ? [] : b === undefined ? { a } : { a, b }));
  return { bound, ask: (at) => JSON.stringify(answer(bound[at])) };
});

let bytes = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [command, which, number] = line.split(" ");
  const { bound, ask } = questions[Number(which)];
  if (command === "show") {
    console.log(ask(Number(number)));
    continue;
  }
  const calls = Number(number);
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) bytes += ask(call % bound.length).length;
  console.log(Number(process.hrtime.bigint() - start) / calls);
}
