// What could not be sent from a board is kept and sent again, with the key of its form: the site
// records it once. Without this script a browser asks whether to send the form again.
"use strict";
const unsent = new Map();
const again = 5000; // milliseconds

function tell() {
  const hint = document.querySelector(".offline");
  if (hint) hint.hidden = navigator.onLine && unsent.size === 0;
}

function send() {
  for (const [board, said] of unsent) {
    unsent.delete(board);
    const target = document.getElementById(board);
    if (target) htmx.ajax("POST", said.path, { target, source: target, swap: "outerHTML", values: said.values });
  }
  tell();
}

document.addEventListener("htmx:sendError", (event) => {
  const board = event.detail.elt.closest(".board");
  const { path, parameters } = event.detail.requestConfig;
  if (!board) return;
  unsent.set(board.id, { path, values: { ...parameters } });
  board.classList.add("unsent");
  tell();
  setTimeout(send, again);
});
// What the address says was recorded is no longer the last thing once a board was tapped.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.closest(".board")) document.getElementById("recorded")?.remove();
});
addEventListener("online", send);
addEventListener("offline", tell);
addEventListener("beforeunload", (event) => { if (unsent.size) event.preventDefault(); });
