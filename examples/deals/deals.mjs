// Boards and deals of Gin Arena, as docs/deals.md specifies them: rules R9.1 to R9.3, deal/1.
// Seeds, nonces and the master seed are Buffers; a card is its text, "Td" the ten of diamonds.

import { createHash, createHmac } from "node:crypto";

const RANKS = "A23456789TJQK";
const PACK = [..."cdhs"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const SEED_BYTES = 32;

function u32be(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function* randomBytes(seed, round) {
  for (let block = 0; ; block++) {
    const hash = createHash("sha256").update("ginarena/deal/1");
    yield* hash.update(seed).update(u32be(round)).update(u32be(block)).digest();
  }
}

/** The 52 cards of a board's round in the order of their places; round 0 is the draw for deal. */
export function deck(seed, round) {
  if (seed.length !== SEED_BYTES) {
    throw new RangeError(`a board's seed has ${SEED_BYTES} bytes, this one ${seed.length}`);
  }
  const bytes = randomBytes(seed, round);
  const cards = [...PACK];
  for (let place = 51; place > 0; place--) {
    const choices = place + 1;
    const bound = 256 - (256 % choices);
    let byte = bytes.next().value;
    while (byte >= bound) byte = bytes.next().value;
    const other = byte % choices;
    [cards[place], cards[other]] = [cards[other], cards[place]];
  }
  return cards;
}

/** The draws for deal, each a card by seat; the last one, of different ranks, decides. */
export function drawForDeal(seed, players) {
  const cards = deck(seed, 0);
  const draws = [];
  do {
    draws.push(cards.splice(0, players));
  } while (new Set(draws.at(-1).map((card) => card[0])).size < players && cards.length >= players);
  return draws;
}

/** Where the cards of a round lie: hands and stock by seat, and the first upcard. */
export function layOut(cards) {
  const stock = (first) => cards.filter((_, place) => place >= first && (place - first) % 2 === 0);
  return {
    hands: [cards.slice(0, 10), cards.slice(10, 20)],
    upcard: cards[20],
    stock: [stock(21), stock(22)],
  };
}

/** The seed of a league's board; the number is a BigInt. */
export function boardSeed(master, number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(number);
  return createHmac("sha256", master).update("ginarena/board/1").update(bytes).digest();
}

/** The master seed of a league: the organiser's seed, then the entries' nonces in order. */
export function masterSeed(organiser, nonces) {
  return createHash("sha256").update(Buffer.concat([organiser, ...nonces])).digest();
}

/** What is published before a league begins: the hash of the organiser's seed. */
export function commitment(organiser) {
  return createHash("sha256").update(organiser).digest();
}
