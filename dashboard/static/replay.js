// Steps through a round. The server computed every step; this draws the one that is chosen.

const root = document.getElementById("replay");
const round = JSON.parse(document.getElementById("steps").textContent);
const steps = round.steps;
const last = steps.length - 1;
const sprite = root.dataset.cards;
const SVG = "http://www.w3.org/2000/svg";
const find = (name) => root.querySelector(`[data-${name}]`);
const seats = [...root.querySelectorAll("[data-seat]")];
const [slider, action, counter, stock] = ["slider", "action", "counter", "stock"].map(find);
const [pile, pileCount, log, speed] = ["pile", "pile-count", "log", "speed"].map(find);
const play = root.querySelector('[data-go="play"]');
const entries = [...log.querySelectorAll("a")];

let current = -1;
let timer = 0;

// The ids serve readers without scripts; here they would make the browser scroll away from the table.
for (const entry of entries) entry.parentElement.removeAttribute("id");

const cardsOf = (text) => text.match(/../g) ?? [];

function slot(card, classes) {
  const item = document.createElement("li");
  item.className = ["slot", ...classes].join(" ");
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("class", `card ${card[1]}`);
  picture.setAttribute("viewBox", "0 0 60 84");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", round.cards[card]);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${sprite}#${card}`);
  picture.append(use);
  item.append(picture);
  return item;
}

function drawHand(seat, hand, step) {
  const mark = (card) => [
    ...(card === step.fresh ? ["fresh"] : []),
    ...(hand.known.includes(card) ? ["known"] : []),
  ];
  const melded = hand.melds.flatMap((meld) => {
    const cards = cardsOf(meld);
    return cards.map((card, i) => slot(card, [...mark(card), ...(i === cards.length - 1 ? ["gap"] : [])]));
  });
  const loose = cardsOf(hand.loose).map((card) => slot(card, ["loose", ...mark(card)]));
  seat.querySelector("[data-hand]").replaceChildren(...melded, ...loose);
  seat.querySelector("[data-deadwood]").textContent = hand.deadwood;
}

function drawPile(text) {
  const cards = cardsOf(text);
  const none = document.createElement("li");
  none.className = "none";
  pile.replaceChildren(...(cards.length ? cards.map((card) => slot(card, [])) : [none]));
  pileCount.textContent = cards.length;
}

function mark(number) {
  entries.forEach((entry, i) => {
    if (i === number) entry.setAttribute("aria-current", "step");
    else entry.removeAttribute("aria-current");
  });
  const entry = entries[number];
  const top = entry.offsetTop - (log.clientHeight - entry.offsetHeight) / 2;
  log.scrollTop = Math.max(0, top);
}

function show(number) {
  const next = Math.min(Math.max(number, 0), last);
  if (next === current) return;
  current = next;
  const step = steps[current];
  seats.forEach((seat, player) => {
    seat.classList.toggle("on-turn", step.turn === player);
    drawHand(seat, step.hands[player], step);
  });
  drawPile(step.pile);
  stock.textContent = step.stock;
  action.firstElementChild.textContent = step.text;
  slider.value = String(current);
  slider.setAttribute("aria-valuetext", `${current} of ${last}: ${step.text}`);
  counter.textContent = `${current} of ${last}`;
  root.querySelectorAll('[data-go="first"], [data-go="back"]').forEach((b) => (b.disabled = current === 0));
  root.querySelectorAll('[data-go="on"], [data-go="last"]').forEach((b) => (b.disabled = current === last));
  mark(current);
  if (current === last) stop();
}

function go(number) {
  show(number);
  history.replaceState(null, "", `#${current}`);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.setAttribute("aria-pressed", "false");
}

function start() {
  if (current === last) go(0);
  timer = setInterval(() => go(current + 1), Number(speed.value));
  play.setAttribute("aria-pressed", "true");
}

const toggle = () => (timer ? stop() : start());

const moves = {
  first: () => go(0),
  back: () => go(current - 1),
  on: () => go(current + 1),
  last: () => go(last),
  play: toggle,
};

const keys = {
  ArrowLeft: moves.back,
  ArrowRight: moves.on,
  Home: moves.first,
  End: moves.last,
  " ": toggle,
};

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-go]");
  if (!button) return;
  if (button !== play) stop();
  moves[button.dataset.go]();
});

log.addEventListener("click", (event) => {
  const entry = event.target.closest("a");
  if (!entry) return;
  event.preventDefault();
  stop();
  go(entries.indexOf(entry));
});

slider.addEventListener("input", () => {
  stop();
  go(Number(slider.value));
});

speed.addEventListener("change", () => {
  if (!timer) return;
  stop();
  start();
});

// Keys work anywhere on the page, but leave a control its own keys.
document.addEventListener("keydown", (event) => {
  const move = keys[event.key];
  if (!move || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("select, textarea, input:not([type=range])")) return;
  if (event.key === " " && event.target.closest("button, a, summary")) return;
  event.preventDefault();
  if (move !== toggle) stop();
  move();
});

const asked = () => Number.parseInt(location.hash.slice(1), 10) || 0;
window.addEventListener("hashchange", () => {
  stop();
  show(asked());
});
show(asked());
