/* An answer as it comes: sources first, then words as plain text; the finished answer is fetched as the server
   renders it. A reload opens the stream again and gets everything from the start. */

for (const article of document.querySelectorAll("[data-stream]")) follow(article);
document.addEventListener("htmx:load", (event) => {
  const article = event.detail.elt;
  if (article.matches?.("[data-stream]") && !article.dataset.followed) follow(article);
});

function follow(article) {
  article.dataset.followed = "yes";
  const state = article.querySelector("[data-state]");
  const sources = article.querySelector("[data-sources]");
  const tokens = article.querySelector("[data-tokens]");
  const stream = new EventSource(article.dataset.stream);
  let fresh = true;
  let reading = false;
  let said = state.textContent;
  const say = (words) => { said = state.textContent = words; };
  const finish = () => {
    stream.close();
    show();
  };
  // A server that is restarting answers with an error or not at all; what it has answered is there when it is back.
  const show = () => {
    if (article.isConnected) {
      htmx.ajax("GET", article.dataset.result, { target: article, swap: "outerHTML" }).then(unlessShown, unlessShown);
    }
  };
  const unlessShown = async () => {
    if (!article.isConnected) return;
    state.textContent = article.dataset.saidAway;
    const reply = await fetch(article.dataset.result).catch(() => null);
    if (reply && reply.status >= 400 && reply.status < 500) location.reload();
    else setTimeout(show, 3000);
  };

  stream.addEventListener("message", (event) => {
    if (!article.isConnected) { stream.close(); return; }
    const told = JSON.parse(event.data);
    if (told.type === "queue" && !reading) say(article.dataset.saidQueue.replace("{n}", told.position));
    else if (told.type === "waiting") say(told.text);
    else if (told.type === "reading") {
      reading = true;
      say(article.dataset.saidReading);
    } else if (told.type === "sources") {
      sources.replaceChildren(...told.sources.map((each) => card(each, article.dataset.saidPage)));
      tokens.textContent = "";
    } else if (told.type === "again") {
      reading = false;
      sources.replaceChildren();
      tokens.textContent = "";
    } else if (told.type === "token") {
      if (fresh) { tokens.textContent = ""; fresh = false; }
      tokens.append(told.text);
    } else if (told.type === "done") finish();
  });
  // The browser opens the stream again by itself, unless the server refuses it.
  stream.addEventListener("open", () => { state.textContent = said; });
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) finish();
    else state.textContent = article.dataset.saidAway;
  });
}

function card(source, saidPage) {
  const item = document.createElement("li");
  if (source.number) item.value = source.number;
  const title = document.createElement("strong");
  title.textContent = source.title || "";
  item.append(title);
  const place = source.second != null ? clock(source.second) : source.page ? saidPage.replace("{n}", source.page) : "";
  if (place) item.append(" ", place);
  if (source.snippet) {
    const words = document.createElement("p");
    words.textContent = source.snippet;
    item.append(words);
  }
  return item;
}

function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const past = document.querySelector(".past");
if (past && matchMedia("(min-width: 52rem)").matches) past.open = true;

const question = document.getElementById("question");
if (question) {
  // The browser's own bubble takes blanks for a question and speaks its own language.
  question.form.noValidate = true;
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    question.form.requestSubmit();
  });
  question.form.addEventListener("submit", (event) => {
    if (question.value.trim()) {
      setTimeout(() => { question.form.querySelector("button").disabled = true; });
      return;
    }
    event.preventDefault();
    refuse(question, document.getElementById("refused"));
  });
}

function refuse(field, notice) {
  notice.firstElementChild.textContent = field.dataset.saidBlank;
  notice.hidden = false;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", notice.id);
  field.focus();
}
window.addEventListener("pageshow", () => {
  const button = question?.form.querySelector("button");
  if (button) button.disabled = false;
});
