package main

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
)

type completionCommand struct {
	Args struct {
		Shell shellName `positional-arg-name:"bash|zsh|fish" required:"yes" description:"the shell"`
	} `positional-args:"yes"`
}

// shellName is a shell that has a completion script.
type shellName string

// Complete returns the shells whose names begin with prefix.
func (shellName) Complete(prefix string) []flags.Completion {
	return cli.PrefixMatches(prefix, []string{"bash", "zsh", "fish"})
}

// These scripts run marvin with GO_FLAGS_COMPLETION set. If the value is "1", marvin prints only
// the completions. Otherwise, it adds a tab and a description to each completion.
var (
	//go:embed completion/marvin.bash
	bashScript string
	//go:embed completion/_marvin
	zshScript string
	//go:embed completion/marvin.fish
	fishScript string
)

func (c completionCommand) Run(_ context.Context, world cli.World, _ cli.Options) error {
	script, ok := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[string(c.Args.Shell)]
	if !ok {
		return fmt.Errorf("there is no completion for %q; choose bash, zsh or fish. Example: marvin completion bash >> ~/.bashrc", c.Args.Shell)
	}
	fmt.Fprint(world.Stdout, script)
	return nil
}
