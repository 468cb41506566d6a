// The script of the page: it puts what the server rendered in its place, and sends what the
// user does.
"use strict";
const byId = (id) => document.getElementById(id);
const address = document.body.dataset.stream;
const session = address.startsWith("/c/") ? address.split("/")[2] : "";
let stream = "", source;

function say(text) {
  const at = byId("link");
  if (at && at.textContent !== text) at.textContent = text;
}

// put replaces or adds one part. What the user is typing in stays as it is when it is the same.
function put(one) {
  let element = byId(one.id);
  if (!element) {
    const parent = byId(one.in);
    if (!parent) return;
    element = document.createElement(parent.tagName === "UL" ? "li" : "div");
    element.id = one.id;
    parent.append(element);
  }
  element.innerHTML = one.html;
}

function patch(event) {
  const update = JSON.parse(event.data);
  const page = document.documentElement;
  const atEnd = page.scrollHeight - page.scrollTop - page.clientHeight < 80;
  if (update.reset) {
    for (const id of ["log", "now", "doing", "asks", "side", "status", "live"]) byId(id)?.replaceChildren();
    stream = update.stream;
    say("");
  }
  for (const id of update.drop || []) byId(id)?.remove();
  for (const one of update.put || []) put(one);
  if (session && atEnd) page.scrollTop = page.scrollHeight;
}

function listen() {
  source = new EventSource(address);
  source.addEventListener("patch", patch);
  source.addEventListener("end", () => { source.close(); say("The conversation ended."); setTimeout(() => location.reload(), 1000); });
  source.addEventListener("gone", gone);
  source.onerror = () => {
    stream = "";
    say("Not connected. The page tries again.");
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 2000);
  };
}

// gone ends a page whose device was revoked. What it showed goes too.
function gone() {
  source.close();
  const main = document.createElement("main"), heading = document.createElement("h1"), why = document.createElement("p");
  heading.textContent = "This device was revoked";
  why.textContent = "Marvin no longer lets this browser in. To use the page again, press Enter in the terminal of marvin web, and open the new link here.";
  why.setAttribute("role", "alert");
  main.append(heading, why);
  document.body.replaceChildren(main);
}

// post sends JSON, and returns what comes back or throws why nothing was done.
async function post(path, body) {
  const reply = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const text = await reply.text();
  let told = {};
  try { told = JSON.parse(text); } catch { told = { error: text }; }
  if (!reply.ok) throw new Error(told.error || reply.statusText);
  return told;
}

// run does something for a form, and shows in it why that failed.
async function run(form, work) {
  const error = form?.querySelector(".error") || byId("prompt")?.querySelector(".error");
  if (error) error.textContent = "";
  try { await work(); } catch (cause) { if (error) error.textContent = cause.message; }
}

const op = (body) => post(`/c/${session}/op`, { stream, ...body });

// send empties the box at once: the user may type on before the reply comes.
async function send(kind) {
  const box = byId("text"), typed = box.value, shown = pictures, text = typed.trim();
  if (!text) return;
  offer([]);
  box.value = "";
  pictures = [];
  showPictures();
  try {
    await op({ op: kind, text, pictures: shown });
  } catch (cause) {
    box.value = [typed, box.value].filter(Boolean).join("\n");
    pictures = [...shown, ...pictures];
    showPictures();
    throw cause;
  }
}

// pictures go with the next prompt.
let pictures = [];

async function addPictures(files) {
  for (const file of files) {
    if (!/^image\/(png|jpeg|gif|webp)$/.test(file.type)) throw new Error(`${file.name} is no picture that Marvin reads; use PNG, JPEG, GIF or WebP`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    pictures.push({ type: file.type, name: file.name, data: btoa(text) });
  }
  showPictures();
}

function showPictures() {
  byId("shown")?.replaceChildren(...pictures.map((one, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${one.name} ✕`;
    button.setAttribute("aria-label", `Remove ${one.name}`);
    button.addEventListener("click", () => { pictures.splice(at, 1); showPictures(); });
    return button;
  }));
}

// Completions of the word before the cursor.
let offered = "", chosen = -1, looking = 0;

function offer(items) {
  const list = byId("offers"), box = byId("text");
  chosen = -1;
  box.removeAttribute("aria-activedescendant");
  list.hidden = !items.length;
  list.replaceChildren(...items.map((one, at) => {
    const option = document.createElement("li");
    option.id = "offer" + at;
    option.role = "option";
    option.ariaSelected = "false";
    option.dataset.item = one.item;
    const note = document.createElement("span");
    note.className = "quiet";
    note.textContent = one.note ? " " + one.note : "";
    option.append(one.item, note);
    option.addEventListener("mousedown", (event) => { event.preventDefault(); accept(option); });
    return option;
  }));
}

function choose(step) {
  const all = byId("offers").children;
  if (chosen >= 0) all[chosen].ariaSelected = "false";
  chosen = (chosen + step + all.length + (chosen < 0 && step < 0 ? 1 : 0)) % all.length;
  all[chosen].ariaSelected = "true";
  all[chosen].scrollIntoView({ block: "nearest" });
  byId("text").setAttribute("aria-activedescendant", all[chosen].id);
}

function accept(option) {
  const box = byId("text"), at = box.selectionStart, item = option.dataset.item;
  box.setRangeText(item + (item.endsWith("/") ? "" : " "), at - offered.length, at, "end");
  offer([]);
  if (item.endsWith("/")) complete();
}

async function complete() {
  const box = byId("text"), before = box.value.slice(0, box.selectionStart), mine = ++looking;
  if (!/(^\/\S*|^\/\S+ .*|(^|\s)@\S*)$/.test(before)) return offer([]);
  try {
    const found = await post(`/c/${session}/complete`, { text: before });
    if (mine !== looking || box.value.slice(0, box.selectionStart) !== before) return;
    offered = found.word;
    offer((found.items || []).filter((one) => one.item !== found.word));
  } catch { offer([]); }
}

// completes takes the keys of an open list.
function completes(event) {
  if (byId("offers").hidden) return false;
  const all = byId("offers").children;
  switch (event.key) {
    case "ArrowDown": choose(1); break;
    case "ArrowUp": choose(-1); break;
    case "Escape": offer([]); event.stopPropagation(); break;
    case "Tab": accept(all[Math.max(chosen, 0)]); break;
    case "Enter":
      if (chosen < 0) return false;
      accept(all[chosen]);
      break;
    default: return false;
  }
  event.preventDefault();
  return true;
}

// answer collects what a form about a question says.
async function answer(form, choice) {
  const value = { stream, ask: form.dataset.ask, digest: form.dataset.digest, choice };
  const instead = form.elements.instead?.value.trim();
  if (instead && choice !== "no") throw new Error("You wrote what to do instead: press No, or empty that field.");
  if (instead) value.text = instead;
  const questions = form.querySelectorAll("fieldset[data-question]");
  if (questions.length) value.chosen = [...questions].map((one) => ({
    options: [...one.querySelectorAll("input:checked")].map((option) => option.value),
    text: one.querySelector("input[type=text]")?.value.trim() || "",
  }));
  const fields = form.querySelectorAll("[data-field]");
  if (fields.length) value.values = Object.fromEntries([...fields].map((one) => [one.dataset.field, read(one)]).filter(([, read]) => read !== ""));
  return post(`/c/${form.dataset.session ? encodeURIComponent(form.dataset.session) : session}/answer`, value);
}

function read(field) {
  switch (field.dataset.type) {
    case "boolean": return field.checked;
    case "number": return field.value === "" ? "" : Number(field.value);
    case "choices": return [...field.selectedOptions].map((option) => option.value);
  }
  return field.value;
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.id === "prompt") run(form, () => send("line"));
  else if (form.id === "start") run(form, async () => {
    const told = await post("/start", Object.fromEntries(new FormData(form)));
    location.href = "/c/" + encodeURIComponent(told.id);
  });
  else if (form.classList.contains("ask") && event.submitter) run(form, () => answer(form, event.submitter.dataset.choice));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-op]");
  if (!button) return;
  const { op: kind, path, hunk, seen } = button.dataset;
  run(null, () => kind === "steer" ? send(kind) : op({ op: kind, path, hunk: Number(hunk || 0), seen }));
});

byId("picture")?.addEventListener("change", (event) => {
  run(byId("prompt"), () => addPictures(event.target.files)).then(() => { event.target.value = ""; });
});
byId("prompt")?.addEventListener("paste", (event) => {
  if (event.clipboardData.files.length) {
    event.preventDefault();
    run(byId("prompt"), () => addPictures(event.clipboardData.files));
  }
});
byId("prompt")?.addEventListener("input", (event) => { if (event.target.id === "text") complete(); });
byId("prompt")?.addEventListener("focusout", (event) => { if (event.target.id === "text") offer([]); });
byId("prompt")?.addEventListener("keydown", (event) => {
  if (event.target.id !== "text" || completes(event)) return;
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});
// An answer in the user's own words replaces the option of a question that takes one, and the reverse.
document.addEventListener("input", (event) => {
  const set = event.target.closest("fieldset[data-question]"), { type, value } = event.target;
  if (set && type === "text" && value.trim()) for (const option of set.querySelectorAll("input[type=radio]")) option.checked = false;
  else if (set && type === "radio") for (const words of set.querySelectorAll("input[type=text]")) words.value = "";
});

// Enter in the field for a no is a no. The browser would press the first button, which is Yes.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.name !== "instead") return;
  event.preventDefault();
  const form = event.target.form;
  if (!event.isComposing && event.target.value.trim()) form.requestSubmit(form.querySelector("[data-choice=no]"));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && session) run(null, () => op({ op: "cancel" }));
});

for (const button of document.querySelectorAll("button[disabled]")) button.disabled = false;

// A page that nobody sees leaves its connection to others after a minute: a browser has few.
let rests = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(rests);
  if (!address) return;
  if (document.hidden) rests = setTimeout(() => { source?.close(); source = null; }, 60000);
  else if (!source || source.readyState === EventSource.CLOSED) listen();
});
if (address && !document.hidden) listen();
