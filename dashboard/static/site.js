// Local times, progress of running leagues, the four-colour choice.

function showLocalTimes() {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
  for (const zone of document.querySelectorAll("[data-zone]")) {
    zone.textContent = `in your own zone (${Intl.DateTimeFormat().resolvedOptions().timeZone})`;
  }
}

const PAUSE_MS = 2000;

// Asks for the progress while the page is visible; reloads once when the league has ended.
function followProgress(box) {
  const ended = box.querySelector("[data-ended]");
  const rate = box.querySelector("[data-rate]");
  const bar = box.querySelector("progress");
  let timer = 0;

  async function ask() {
    timer = 0;
    try {
      const answer = await fetch(box.dataset.progress, { headers: { Accept: "application/json" } });
      if (answer.ok) {
        const progress = await answer.json();
        ended.textContent = String(progress.ended);
        rate.textContent = progress.words;
        bar.max = progress.total || 1;
        bar.value = progress.ended;
        if (progress.state !== "running") {
          location.reload();
          return;
        }
      }
    } catch {
      // The server may be restarting; the next turn asks again.
    }
    plan();
  }

  function plan() {
    if (!document.hidden && !timer) timer = setTimeout(ask, PAUSE_MS);
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    timer = 0;
    plan();
  });
  plan();
}

function offerFourColours() {
  for (const box of document.querySelectorAll("[data-four-colour]")) {
    const root = document.documentElement;
    box.checked = root.classList.contains("four-colour");
    box.addEventListener("change", () => {
      root.classList.toggle("four-colour", box.checked);
      try {
        localStorage.setItem("four-colour", box.checked ? "yes" : "no");
      } catch {
        // The choice lasts as long as the page.
      }
    });
  }
}

showLocalTimes();
document.querySelectorAll("[data-progress]").forEach(followProgress);
offerFourColours();
