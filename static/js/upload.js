/* Uploading by button, folder or drop: one request per file, two at a time, each with its own progress. */

const form = document.querySelector("[data-upload]");
if (form) start(form);

function start(form) {
  const list = form.querySelector(".uploads");
  const files = form.querySelector("input[name=files]");
  const folder = form.querySelector("[data-folder-input]");
  const queue = [];
  let running = 0;

  form.querySelector("[data-plain]").hidden = true;
  files.hidden = true;
  for (const each of form.querySelectorAll("[data-pick], [data-folder], [data-drop-hint]")) each.hidden = false;
  form.querySelector("[data-pick]").addEventListener("click", () => files.click());
  form.querySelector("[data-folder]").addEventListener("click", () => folder.click());
  for (const input of [files, folder]) {
    input.addEventListener("change", () => {
      add([...input.files]);
      input.value = "";
    });
  }
  form.addEventListener("submit", (event) => event.preventDefault());

  let inside = 0;
  document.addEventListener("dragenter", () => { inside += 1; form.classList.add("over"); });
  document.addEventListener("dragleave", () => { inside -= 1; if (inside <= 0) form.classList.remove("over"); });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    inside = 0;
    form.classList.remove("over");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const dropped = entries.length ? (await Promise.all(entries.map(filesOf))).flat() : [...event.dataTransfer.files];
    add(dropped);
  });

  window.addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });

  function add(chosen) {
    for (const file of chosen) {
      if (file.name.startsWith(".")) continue;
      const line = new Line(file.name);
      list.append(line.element);
      if (file.size > Number(form.dataset.limitMb) * 1024 * 1024) line.say("refused", form.dataset.saidLimit);
      else if (file.size === 0) line.say("refused", form.dataset.saidEmpty);
      else queue.push([file, line]);
    }
    next();
  }

  function next() {
    while (running < 2 && queue.length) {
      running += 1;
      send(...queue.shift()).finally(() => {
        running -= 1;
        document.body.dispatchEvent(new Event("sources-changed"));
        next();
      });
    }
  }

  function send(file, line) {
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      const body = new FormData();
      body.append("files", file, file.name);
      request.open("POST", form.action);
      request.setRequestHeader("X-CSRFToken", form.querySelector("[name=csrfmiddlewaretoken]").value);
      request.setRequestHeader("Accept", "application/json");
      request.upload.addEventListener("progress", (event) => {
        line.progress(event.loaded / event.total);
        if (event.loaded === event.total) line.say("", form.dataset.saidChecking);
      });
      request.addEventListener("load", () => { answer(request, line); resolve(); });
      request.addEventListener("error", () => { line.say("refused", form.dataset.saidLost); resolve(); });
      request.send(body);
    });
  }

  function answer(request, line) {
    let told;
    try {
      told = JSON.parse(request.responseText).files[0];
    } catch {
      line.say("refused", request.status === 413 ? form.dataset.saidLimit : form.dataset.saidSession);
      return;
    }
    line.say(told.state, told.said, told.url, form.dataset.saidOpen);
    if (told.state === "accepted") setTimeout(() => line.element.remove(), 4000);
  }
}

class Line {
  constructor(name) {
    this.element = document.createElement("li");
    const title = document.createElement("span");
    title.textContent = name;
    this.bar = document.createElement("progress");
    this.bar.max = 1;
    this.bar.value = 0;
    this.bar.setAttribute("aria-label", name);
    this.said = document.createElement("span");
    this.said.className = "said";
    this.element.append(title, this.bar, this.said);
  }

  progress(share) { this.bar.value = share; }

  say(state, sentence, url, open) {
    this.element.className = state;
    this.said.textContent = sentence;
    if (state) this.bar.remove();
    if (url && state === "duplicate") {
      const link = document.createElement("a");
      link.href = url;
      link.textContent = open;
      this.said.append(" ", link);
    }
  }
}

async function filesOf(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const each of some) found.push(...(await filesOf(each)));
  }
}
