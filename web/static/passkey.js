// Makes and uses passkeys, to sign in and to sign what is recorded. What is not in the page is said by the server; nothing is sent elsewhere.
"use strict";

const bytes = (text) => {
  const base64 = text.replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
};

const text = (buffer) => {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};

const sent = async (where, what) => {
  const answer = await fetch(where, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
  });
  if (answer.redirected) {
    location.assign(answer.url);
    throw new Error("sign in again");
  }
  if (!answer.ok) throw new Error(`${where}: ${answer.status}`);
  return answer.json();
};

const asked = (options) => {
  const said = { ...options, challenge: bytes(options.challenge) };
  if (said.user) said.user = { ...said.user, id: bytes(said.user.id) };
  for (const name of ["excludeCredentials", "allowCredentials"]) {
    if (said[name]) said[name] = said[name].map((each) => ({ ...each, id: bytes(each.id) }));
  }
  return said;
};

const answered = (credential) => {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = text(credential.response[name]);
  }
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    response,
    clientExtensionResults: credential.getClientExtensionResults(),
  };
};

const carryOut = async (place) => {
  const { begin, end, kind, next, form } = place.dataset;
  const options = await sent(begin, {});
  const credential = await navigator.credentials[kind]({ publicKey: asked(options.publicKey) });
  const done = { ceremony: options.ceremony, answer: answered(credential) };
  if (next) done.next = next;
  const said = await sent(end, done);
  if (form) HTMLFormElement.prototype.submit.call(document.getElementById(form));
  else location.assign(said.next);
};

if (window.PublicKeyCredential) {
  for (const place of document.querySelectorAll(".passkey")) {
    const status = place.querySelector("[role=status]");
    place.hidden = false;
    place.querySelector("button").addEventListener("click", async () => {
      status.textContent = "";
      try {
        await carryOut(place);
      } catch {
        status.textContent = status.dataset.failed;
      }
    });
  }
} else {
  for (const note of document.querySelectorAll(".no-passkeys")) note.hidden = false;
}
