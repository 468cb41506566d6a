package plain_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/providers/modeltest"
	"marvin/tools/shell"
	"marvin/ui/command"
	"marvin/ui/plain"
)

// shellOf is the part of a host that runs commands.
type shellOf struct {
	command.Host
	dir string
}

func (h shellOf) Run(ctx context.Context, line, _ string, heard io.Writer) (string, error) {
	return shell.RunOwn(ctx, line, h.dir, os.Environ(), heard)
}

func (h shellOf) Remember(_, _, _ string) error { return nil }

// A user sees the output of a command as it arrives, below the command, and only once. A pipe gets
// the same text at its end.
func TestCommandOutputStreamsInLines(t *testing.T) {
	const text = "[System] $ echo a; until test -e go; do sleep .1; done; echo two; exit 3\na\ntwo\n[exit code 3]\n"
	for _, person := range []bool{true, false} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer read.Close()
		defer write.Close()
		host := shellOf{dir: t.TempDir()}
		client := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t), Policy: &actors.Policy{Person: true}}).Client
		s := openWith(t, "", client, func(config *plain.Config) {
			if person {
				config.Terminal = read
			}
			config.Commands = func(front command.Front) *command.Engine {
				return &command.Engine{Env: command.Env{Client: client, Front: front, Now: time.Now, Host: host}}
			}
		})
		s.expect("You: ")
		line, _, _ := strings.Cut(strings.TrimPrefix(text, "[System] $ "), "\n")
		s.enter("!" + line)
		if person {
			s.expect("exit 3\na\n")
			if strings.Contains(s.read(), "\ntwo") {
				t.Errorf("it did not print that yet:\n%s", s.read())
			}
		}
		if err := os.WriteFile(filepath.Join(host.dir, "go"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s.expect("[exit code 3]\n")
		if !strings.Contains(s.read(), text) || strings.Count(s.read(), "\ntwo") != 1 {
			t.Errorf("with a person %v the screen has\n%s", person, s.read())
		}
		s.enter("quit")
		s.end()
	}
}
