// Print a deal: node show.mjs SEED ROUND, the board's seed in hex.

import { deck, drawForDeal, layOut } from "./deals.mjs";

const [seedText = "", roundText = ""] = process.argv.slice(2);
if (!/^[0-9a-f]{64}$/.test(seedText) || !/^\d{1,10}$/.test(roundText) || roundText >= 2 ** 32) {
  console.error("usage: node show.mjs SEED ROUND, a seed of 64 hex digits and a round below 2^32");
  process.exit(2);
}
const seed = Buffer.from(seedText, "hex");
if (Number(roundText) === 0) {
  for (const draw of drawForDeal(seed, 2)) console.log("draw for deal:", draw.join(" "));
} else {
  const { hands, upcard, stock } = layOut(deck(seed, Number(roundText)));
  hands.forEach((hand, seat) => console.log(`seat ${seat}: ${hand.join(" ")}`));
  console.log(`first upcard: ${upcard}`);
  stock.forEach((cards, seat) => console.log(`stock of seat ${seat}: ${cards.join(" ")}`));
}
