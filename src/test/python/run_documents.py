"""Runs the commands of documents in Markdown against a running service, and compares what they print with what the
documents show.

    run_documents.py PORT DOCUMENT…

A block in the language "console" has commands after "$ ", each followed by the lines that it prints. Headers and
lines that a document leaves out are ignored; those that it shows must come, in their order. An ellipsis stands for any
text; ids, digests, times and durations may differ. Each command of a block in the languages "console" and "sh" must
end with exit status 0. The commands of a block share a shell, and all blocks share the service. A block after the
comment "<!-- not run: reason -->" is skipped. The documents name the port 8080; the commands use PORT.
"""

import pathlib
import re
import shlex
import subprocess
import sys

TIME_OUT = 60
MARK = "=== end of the command, status "
NOT_RUN = re.compile(r"<!-- not run: .{10,} -->")
VOLATILE = re.compile(
    r"(?P<ellipsis>…|\.\.\.)"
    r"|(?P<uuid>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)"
    r"|(?P<time>\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"
    r"|(?P<digest>\b[0-9a-f]{16}\b)"
    r'|(?P<duration>(?<="durationInMicroseconds":)\d+)'
)
FORMS = {
    "ellipsis": r".*",
    "uuid": r"[0-9a-f-]{36}",
    "time": r"[0-9T:.-]+Z",
    "digest": r"[0-9a-f]{16}",
    "duration": r"\d+",
}


def blocks(text):
    """The fenced blocks of a document: the line of the fence, the language, the line before it, and its lines."""
    language, start, before, inside = None, 0, "", []
    for number, line in enumerate(text.split("\n"), 1):
        fence = line.lstrip().startswith("```")
        if fence and language is None:
            language, start, inside = line.strip()[3:], number, []
        elif fence:
            yield start, language, before, inside
            language, before = None, line
        elif language is not None:
            inside.append(line)
        elif line.strip():
            before = line


def is_complete(command):
    if command.endswith("\\"):
        return False
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def commands(lines):
    """The commands of a console block, each with the lines that it prints."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and not found[-1][1] and not is_complete(found[-1][0]):
            command, shown = found.pop()
            found.append((command + "\n" + line, shown))
        elif found:
            found[-1][1].append(line)
        elif line.strip():
            raise ValueError(f"a console block begins with a command, not with {line!r}")
    return found


def pattern(line):
    parts, end = [], 0
    for match in VOLATILE.finditer(line):
        parts += [re.escape(line[end : match.start()]), FORMS[match.lastgroup]]
        end = match.end()
    return re.compile("".join(parts) + re.escape(line[end:]) + r"\s*$")


def first_missing(shown, printed):
    """The first line that a document shows and that is not printed after those before it."""
    rest = iter(printed)
    for line in filter(str.strip, shown):
        form = pattern(line)
        if not any(form.match(actual) for actual in rest):
            return line
    return None


def run(steps, port):
    """Runs commands in one shell, until one fails: what each prints, and its exit status."""
    script = "".join(
        f"{command}\nstatus=$?; printf '\\n%s%s\\n' '{MARK}' $status; [ $status = 0 ] || exit 0\n" for command in steps
    )
    done = subprocess.run(
        ["bash", "-c", script.replace("localhost:8080", f"localhost:{port}")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIME_OUT,
        text=True,
    )
    parts = done.stdout.replace(f"localhost:{port}", "localhost:8080").split("\n" + MARK)
    statuses = [int(part.split("\n", 1)[0]) for part in parts[1:]]
    printed = [parts[0]] + [part.partition("\n")[2] for part in parts[1:]]
    return list(zip(printed, statuses))


def failures_of(block, port):
    """What is wrong with the commands of a block, and how many commands it has."""
    _, language, _, lines = block
    steps = commands(lines) if language == "console" else [("\n".join(["(set -e", *lines, ")"]), [])]
    failures = []
    for (command, shown), (printed, status) in zip(steps, run([command for command, _ in steps], port)):
        missing = first_missing(shown, printed.splitlines())
        if status != 0:
            failures.append(f"exit status {status} of\n{command}\nwhich prints\n{printed}")
        elif missing is not None:
            failures.append(f"the line\n{missing}\nis not printed by\n{command}\nwhich prints\n{printed}")
    return failures, len(steps)


def main(port, documents):
    failed = done = skipped = 0
    for document in documents:
        for block in blocks(pathlib.Path(document).read_text(encoding="utf-8")):
            start, language, before, _ = block
            if language not in ("console", "sh"):
                continue
            if NOT_RUN.match(before):
                skipped += 1
                continue
            failures, count = failures_of(block, port)
            done += count
            failed += len(failures)
            for failure in failures:
                print(f"{document}:{start}: {failure}")
    print(f"Commands of documents: {done} run, {skipped} blocks not run, {failed} failed")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
