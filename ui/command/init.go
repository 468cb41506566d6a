package command

import (
	"context"
	"fmt"
	"strings"
)

// Survey is a first AGENTS.md that was made from what is in a repository.
type Survey struct {
	Path string // where it would stand
	Text string
	Try  []string // commands in it that build, test and look for mistakes
}

// firstWords is what came of /init so far, in one directory.
type firstWords struct {
	dir    string
	seen   string            // what was shown, with its path
	tried  map[string]string // by command, what became of it in words for the file
	trying bool
}

// init shows a first AGENTS.md, tries the commands in it once they were seen, and writes it
// as it was seen. A file that is there is never replaced.
func (e *Engine) init(word string) {
	if word != "" && word != "write" && word != "test" {
		e.warn("Usage: /init shows a first AGENTS.md, /init test tries the commands in it, /init write makes the file.")
		return
	}
	if e.first.trying {
		e.warn("The commands of /init are being tried; Ctrl-C ends that.")
		return
	}
	dir := e.Talk.Dir
	if e.first.dir != dir {
		e.first = firstWords{dir: dir}
	}
	seen, tried := e.first.seen, e.first.tried
	e.beside("look at the repository", func(ctx context.Context) func() {
		found, err := e.Host.Survey(ctx, dir, tried)
		known := seen == found.Path+found.Text // guard: what /init tries and writes was seen
		if err == nil && word == "write" && known {
			_, err = e.Host.Write(found.Path, dir, []byte(found.Text))
			return e.outcome(err, "Written: "+found.Path+". Edit it: what you know and no file says is worth most.")
		}
		return func() {
			switch {
			case err != nil:
				e.fail(err)
			case word == "test" && known && len(found.Try) > 0:
				e.first.trying, e.first.tried = true, map[string]string{}
				tryFirst(e, dir, found.Try, 0)
			default:
				showFirst(e, found)
			}
		}
	})
}

func showFirst(e *Engine, found Survey) {
	e.first.seen = found.Path + found.Text
	next := ""
	if len(found.Try) > 0 && len(e.first.tried) == 0 {
		next = fmt.Sprintf(" Before it, /init test runs what builds and tests (%s), as it would run a command of the model's, each for at most 2 minutes.", strings.Join(found.Try, ", "))
	}
	e.say(found.Text + "\nThis would be " + found.Path + ". /init write makes the file." + next)
}

// tryFirst tries one command after the other, each as work of its own that is seen and can
// be cancelled, and shows what the file would be with what came of them.
func tryFirst(e *Engine, dir string, lines []string, at int) {
	if at == len(lines) {
		e.first.trying = false
		e.init("")
		return
	}
	line, mode := lines[at], e.Talk.Approval
	e.say(fmt.Sprintf("Trying %s (%d of %d) …", line, at+1, len(lines)))
	e.beside("try "+line, func(ctx context.Context) func() {
		became, last := e.Host.Try(ctx, dir, line, mode)
		return func() {
			e.first.tried[line] = became
			e.say(strings.TrimSpace(line + ": " + became + "\n" + last))
			next := at + 1
			if ctx.Err() != nil { // who cancels one wants none
				next = len(lines)
			}
			tryFirst(e, dir, lines, next)
		}
	})
}

func (e *Engine) outcome(err error, done string) func() {
	return func() {
		if err != nil {
			e.fail(err)
			return
		}
		e.say(done)
	}
}
