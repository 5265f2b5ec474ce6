// Writes times in the reader's zone; the page has them in UTC.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function localize(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const instant = new Date(time.dateTime);
    if (!Number.isNaN(instant.getTime()) && !time.title) {
      time.title = time.textContent;
      time.textContent = format.format(instant);
    }
  }
}

localize(document);
document.addEventListener("htmx:afterSettle", event => localize(event.target));
