// Light, dark or the system's choice, set before the first paint; app.js lets the user change it.
// A classic script in the head: a module would run after the page has been shown in the wrong colours.
try {
  const theme = localStorage.getItem("noyes.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system decides.
}
