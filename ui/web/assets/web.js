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
  source.onerror = () => {
    stream = "";
    say("Not connected. The page tries again.");
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 2000);
  };
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

async function send(kind) {
  const box = byId("text"), text = box.value.trim();
  if (!text) return;
  await op({ op: kind, text });
  box.value = "";
}

// answer collects what a form about a question says.
function answer(form, choice) {
  const value = { stream, ask: form.dataset.ask, digest: form.dataset.digest, choice };
  const instead = form.elements.instead?.value.trim();
  if (instead && choice === "no") value.text = instead;
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

byId("text")?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && session) run(null, () => op({ op: "cancel" }));
});

if (address) listen();
