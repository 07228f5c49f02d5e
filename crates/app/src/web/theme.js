// Which view and which colours, set before the first paint; app.js changes them later. A classic script in the
// head: a module would run after the page has been shown with the wrong ones.
document.documentElement.dataset.view = location.hash.match(/^#(tiles|sokoban|race)\b/)?.[1] ?? "tiles";
try {
  const theme = localStorage.getItem("noyes.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system decides.
}
