// Runs before the first paint: says that scripts work, and brings back the reader's choices.
document.documentElement.classList.add("script");
try {
  if (localStorage.getItem("four-colour") === "yes") {
    document.documentElement.classList.add("four-colour");
  }
} catch {
  // Without storage the choice lasts as long as the page.
}
