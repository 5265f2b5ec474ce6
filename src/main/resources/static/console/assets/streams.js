// The live streams of a page. A browser opens six connections to a server over HTTP/1.1, and each stream keeps one. So a
// hidden page closes its streams; when it is shown, they go on after the last event that it received.

/* What htmx uses of an EventSource. */
class ShownEventSource {
  onopen = null;
  onerror = null;
  #url;
  #listeners = [];
  #source = null;
  #last = "";
  #closed = false;

  constructor(url) {
    this.#url = new URL(url, location.href);
    document.addEventListener("visibilitychange", this.#follow);
    this.#follow();
  }

  get readyState() {
    return this.#closed ? EventSource.CLOSED : this.#source?.readyState ?? EventSource.CONNECTING;
  }

  addEventListener(name, listener) {
    const heard = event => {
      this.#last = event.lastEventId || this.#last;
      listener(event);
    };
    this.#listeners.push({ name, listener, heard });
    this.#source?.addEventListener(name, heard);
  }

  removeEventListener(name, listener) {
    const index = this.#listeners.findIndex(each => each.name === name && each.listener === listener);
    if (index >= 0) {
      this.#source?.removeEventListener(name, this.#listeners[index].heard);
      this.#listeners.splice(index, 1);
    }
  }

  close() {
    this.#closed = true;
    document.removeEventListener("visibilitychange", this.#follow);
    this.#disconnect();
  }

  #follow = () => {
    if (document.hidden) {
      this.#disconnect();
    } else if (!this.#source) {
      this.#connect();
    }
  };

  #connect() {
    const url = new URL(this.#url);
    if (this.#last) {
      url.searchParams.set("after", this.#last);
    }
    const source = new EventSource(url);
    this.#source = source;
    this.#listeners.forEach(({ name, heard }) => source.addEventListener(name, heard));
    source.onopen = event => this.onopen?.(event);
    source.onerror = event => this.#failed(source, event);
  }

  #disconnect() {
    this.#source?.close();
    this.#source = null;
  }

  /* The browser connects again by itself, unless the service has refused: then htmx does, after growing pauses. */
  async #failed(source, event) {
    if (source.readyState === EventSource.CLOSED && await isRefused(this.#url)) {
      this.close();
      sayThatLoginEnded();
    } else if (this.#source === source) {
      // Forgotten before, as htmx may create another one.
      if (source.readyState === EventSource.CLOSED) {
        this.close();
      }
      this.onerror?.(event);
    }
  }
}

/* An EventSource does not say why the service refused it. */
async function isRefused(url) {
  const read = new AbortController();
  try {
    const answer = await fetch(url, { redirect: "manual", signal: read.signal });
    return answer.type === "opaqueredirect" || [401, 403].includes(answer.status);
  } catch {
    return false;
  } finally {
    read.abort();
  }
}

function sayThatLoginEnded() {
  if (document.getElementById("login-ended")) {
    return;
  }
  const notice = document.createElement("p");
  notice.id = "login-ended";
  notice.className = "notice warn";
  notice.setAttribute("role", "status");
  const again = document.createElement("a");
  again.href = location.href;
  again.textContent = "Load it again";
  notice.append("Your login has ended, so this page does not change any more. ", again, " to log in.");
  document.getElementById("main").prepend(notice);
}

htmx.createEventSource = url => new ShownEventSource(url);
