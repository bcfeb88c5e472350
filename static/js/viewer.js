/* The viewer: scroll to the cited words; lines of a transcript play from their second. */

const cited = document.getElementById("cited");
if (cited) cited.scrollIntoView({ block: "center" });

const player = document.querySelector("audio[data-second]");
if (player) {
  const second = Number(player.dataset.second);
  if (second) {
    const seek = () => { if (Math.abs(player.currentTime - second) > 1) player.currentTime = second; };
    if (player.readyState >= 1) seek();
    else player.addEventListener("loadedmetadata", seek, { once: true });
  }
  for (const button of document.querySelectorAll("[data-seek]")) {
    button.addEventListener("click", () => {
      player.currentTime = Number(button.dataset.seek);
      player.play();
    });
  }
}
