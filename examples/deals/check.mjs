// Compare deals.mjs with test vectors: node check.mjs vectors.json
// Ends with 1 at the first that differs, else prints how many of each kind were compared.

import { readFileSync } from "node:fs";
import { boardSeed, commitment, deck, drawForDeal, layOut, masterSeed } from "./deals.mjs";

const bytes = (hex) => Buffer.from(hex, "hex");
const counts = {};

function compare(kind, given, expected, found) {
  counts[kind] = (counts[kind] ?? 0) + 1;
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)];
  if (wanted !== got) {
    console.error(`${kind} of ${given}: ${got}; the vector has ${wanted}`);
    process.exit(1);
  }
}

const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const { seed, round, cards } of vectors.decks) {
  compare("deck", `${seed}, round ${round}`, cards, deck(bytes(seed), round).join(""));
}
for (const { seed, players, draws } of vectors.draws) {
  const found = drawForDeal(bytes(seed), players).map((draw) => draw.join(""));
  compare("draw", `${seed}, ${players} players`, draws, found);
}
for (const { seed, round, hands, upcard, stock } of vectors.deals ?? []) {
  const laid = layOut(deck(bytes(seed), round));
  const found = [...laid.hands, [laid.upcard], ...laid.stock].map((cards) => cards.join(""));
  compare("deal", `${seed}, round ${round}`, [...hands, upcard, ...stock], found);
}
const { organiser, nonces, seed: master } = vectors.master;
compare("master", organiser, master, masterSeed(bytes(organiser), nonces.map(bytes)).toString("hex"));
if (vectors.master.commitment) {
  const found = commitment(bytes(organiser)).toString("hex");
  compare("commitment", organiser, vectors.master.commitment, found);
}
for (const [number, seed] of Object.entries(vectors.boards)) {
  compare("board", number, seed, boardSeed(bytes(master), BigInt(number)).toString("hex"));
}
console.log(JSON.stringify(counts));
