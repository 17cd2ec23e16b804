// Says what was tapped at the desk and is not sent yet, and opens the page as soon as there is a network.
"use strict";
const list = document.getElementById("kept");
const board = /^\/desk\/[^?#]+\/rounds\/([0-9]+)\/boards\/([^/?#]+)$/;

function taps(place) {
  try {
    return Object.entries(JSON.parse(localStorage.getItem(place)) ?? {});
  } catch {
    return []; // what cannot be read, the desk throws away
  }
}

for (const place of Object.keys(localStorage).filter((each) => each.startsWith("unsent "))) {
  for (const [path, values] of taps(place)) {
    const [, round, number] = board.exec(path) ?? [];
    if (number === undefined) continue;
    const item = document.createElement("li");
    const typed = String(values?.result ?? values?.act ?? "");
    const result = typed.replace("1/2-1/2", "½").replace(/^([01])-([01])/, "$1–$2"); // as on the boards
    item.textContent = list.dataset.tap.replace("{round}", round).replace("{board}", number).replace("{result}", result);
    list.append(item);
  }
}
document.getElementById("unsent").hidden = !list.children.length;
document.getElementById("nothing").hidden = list.children.length > 0;

// Links to the boards that can be shown without a network.
async function offer() {
  const links = document.getElementById("boards");
  for (const name of await caches.keys()) {
    const kept = name.startsWith("boards ") ? await (await caches.open(name)).keys() : [];
    for (const { url } of kept.filter((each) => new URL(each.url).pathname.startsWith("/desk/"))) {
      const link = document.createElement("a");
      link.href = url;
      link.textContent = links.dataset.boards.replace("{round}", url.split("/").pop());
      links.appendChild(document.createElement("li")).append(link);
    }
  }
  links.hidden = !links.children.length;
}

async function look() {
  try {
    await fetch("/offline", { method: "HEAD", cache: "no-store" });
    location.reload();
  } catch {
    setTimeout(look, 3000);
  }
}
if (location.pathname !== "/offline") {
  offer();
  addEventListener("online", look, { once: true });
  setTimeout(look, 3000);
}
