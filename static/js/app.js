/* What every page shares: a list that is swapped keeps what the person had opened and where the focus was. */

let opened = [];
let focused = "";

document.addEventListener("htmx:beforeSwap", (event) => {
  const target = event.detail.target;
  if (event.detail.xhr.status >= 400) return;
  opened = [...target.querySelectorAll("details[id][open]")].map((each) => each.id);
  focused = target.contains(document.activeElement) ? document.activeElement.id : "";
});

document.addEventListener("htmx:afterSettle", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  opened = [];
  focused = "";
});

/* A list that polls is not swapped while somebody reads a menu in it or the page is out of sight. */
document.addEventListener("htmx:beforeRequest", (event) => {
  const polls = (event.detail.elt.getAttribute("hx-trigger") || "").includes("every");
  if (polls && document.hidden) event.preventDefault();
});

for (const input of document.querySelectorAll("input[readonly]")) {
  input.addEventListener("focus", () => input.select());
}
