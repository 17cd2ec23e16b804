// The boards that a browser keeps for the time without a network (desk_script.js) are thrown away when
// their owner signs out, and once somebody else is signed in.
"use strict";
const { account } = document.currentScript.dataset;

async function forget(isKept) {
  const names = await globalThis.caches?.keys() ?? [];
  names.filter((name) => name.startsWith("boards ") && !isKept(name)).forEach((name) => caches.delete(name));
}

forget((name) => name.startsWith(`boards ${account} `));
document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action") === "/sign-out") forget(() => false);
});
