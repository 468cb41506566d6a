package host

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/tools/schedule"
)

// AtTimes executes /schedule, /watch or /today as the command line does. It cannot ask the user, so
// an entry that needs consent also needs --yes.
func (h persons) AtTimes(ctx context.Context, name, words, dir string) (string, error) {
	args, err := schedule.SplitWords(words)
	if err != nil {
		return "", err
	}
	if len(args) == 0 && name != "today" {
		args = []string{"list"}
	}
	if len(args) > 0 && slices.Contains([]string{"run", "check", "fire"}, args[0]) {
		return "", fmt.Errorf("/%s %s works only in a shell: run marvin %s %s", name, args[0], name, strings.Join(args, " "))
	}
	var out bytes.Buffer
	world := h.parts.World
	world.Stdin, world.Stdout, world.Stderr, world.Dir = nil, &out, &out, cmp.Or(dir, world.Dir)
	if err := world.Carry(ctx, world, append([]string{name}, args...)); err != nil {
		if unasked := (*cli.NoUserError)(nil); errors.As(err, &unasked) {
			return "", fmt.Errorf("%s%s If so, type the line again with --yes. Nothing was saved", out.String(), unasked.Question)
		}
		return "", fmt.Errorf("%s%w", out.String(), err)
	}
	return out.String(), nil
}
