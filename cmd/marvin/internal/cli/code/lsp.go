package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/language"
	"marvin/tools/shell"
)

type LspCommand struct {
	List    lspList    `command:"list" description:"list the installed language servers"`
	Check   lspCheck   `command:"check" description:"start the servers for a file and print what they find" long-description:"Example:\n  marvin lsp check main.go"`
	Log     lspLog     `command:"log" description:"start the servers for a file and print their log"`
	Install lspInstall `command:"install" description:"install a language server; asks first" long-description:"Prints the command, asks, and runs it with all your permissions. Marvin never installs anything without asking.\n\nExample:\n  marvin lsp install pyright"`
}

type lspList struct {
	All bool `long:"all" description:"also list those that are not installed"`
}

type lspFile struct {
	Args struct {
		File string `positional-arg-name:"FILE" required:"yes" description:"a file of a project"`
	} `positional-args:"yes"`
}

type (
	lspCheck   struct{ lspFile }
	lspLog     struct{ lspFile }
	lspInstall struct {
		Yes  bool `long:"yes" description:"do not ask"`
		Args struct {
			Name string `positional-arg-name:"NAME" required:"yes" description:"a server that \"marvin lsp list --all\" shows"`
		} `positional-args:"yes"`
	}
)

// languageBench holds the state that the language server commands share.
type languageBench struct {
	world  cli.World
	own    map[string]settings.Language
	ground language.Ground
}

func withLanguages(ctx context.Context, world cli.World, opts cli.Options, do func(context.Context, languageBench) error) error {
	if opts.Output == "jsonl" {
		return errors.New("\"marvin lsp\" writes text, or JSON with --output json")
	}
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		return err
	}
	guarded, err := app.Guard(world, opts)
	if err != nil {
		return err
	}
	world = guarded.World
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer func() { _ = guarded.Sandbox.Close() }()
	return do(ctx, languageBench{world: world, own: guarded.Settings.Languages, ground: language.Ground{
		Version: world.Version, Environ: world.Environ, Sandbox: guarded.Sandbox, Top: dir,
	}})
}

// shownLanguage is the JSON form of a language server.
type shownLanguage struct {
	Name      string   `json:"name"`
	Command   []string `json:"command"`
	Files     []string `json:"files"`
	Installed string   `json:"installed,omitempty"`
	Install   string   `json:"install"`
	Enabled   bool     `json:"enabled"`
	Why       string   `json:"why,omitempty"`
}

func (c lspList) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return withLanguages(ctx, world, opts, func(_ context.Context, b languageBench) error {
		list := []shownLanguage{}
		for _, one := range language.Known(b.own, b.ground, world.Now) {
			if one.Why != nil && !c.All && !one.Server.Own {
				continue
			}
			shown := shownLanguage{Name: one.Server.Name, Command: one.Server.Command, Files: one.Server.Files, Installed: one.Program, Install: one.Server.Install, Enabled: !one.Server.Off}
			if one.Why != nil {
				shown.Why = tools.Visible(one.Why.Error())
			}
			list = append(list, shown)
		}
		if opts.Output == "json" {
			return cli.WriteJSON(world.Stdout, list)
		}
		if len(list) == 0 {
			fmt.Fprintln(world.Stderr, "No language server is installed. To list those that Marvin knows, run marvin lsp list --all; to install one, run marvin lsp install NAME.")
			return nil
		}
		table := tabwriter.NewWriter(world.Stdout, 0, 8, 2, ' ', 0)
		for _, one := range list {
			fmt.Fprintf(table, "%s\t%s\t%s\n", one.Name, one.state(), strings.Join(one.Files, " "))
		}
		return table.Flush()
	})
}

func (s shownLanguage) state() string {
	switch {
	case !s.Enabled:
		return "off"
	case s.Installed == "":
		return "not installed: " + s.Install
	}
	return tools.Visible(s.Installed)
}

// findings starts the file's language servers and returns one report from each server.
func (f lspFile) findings(ctx context.Context, b languageBench) ([]language.FileReport, error) {
	path := f.Args.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.world.Dir, path)
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if name, err := filepath.Rel(b.ground.Top, path); err != nil || !filepath.IsLocal(name) {
		b.ground.Top = filepath.Dir(path)
	}
	return language.Examine(ctx, b.own, b.ground, b.world.Now, path)
}

func (c lspCheck) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return withLanguages(ctx, world, opts, func(ctx context.Context, b languageBench) error {
		all, err := c.findings(ctx, b)
		bad := false
		for _, one := range all {
			text := one.Findings.Text()
			bad = bad || len(one.Findings.Problems) > 0
			fmt.Fprintf(world.Stdout, "%s: %s\n", one.Server, tools.Visible(cmp.Or(text, "nothing is wrong")))
		}
		if err == nil && bad {
			return cli.ErrReported
		}
		return err
	})
}

func (c lspLog) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return withLanguages(ctx, world, opts, func(ctx context.Context, b languageBench) error {
		all, err := c.findings(ctx, b)
		for _, one := range all {
			fmt.Fprintf(world.Stdout, "%s:\n%s\n", one.Server, strings.TrimSpace(tools.Visible(one.Log)))
		}
		return err
	})
}

func (c lspInstall) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return withLanguages(ctx, world, opts, func(ctx context.Context, b languageBench) error {
		all := language.Known(b.own, b.ground, world.Now)
		at := slices.IndexFunc(all, func(one language.ServerStatus) bool { return one.Server.Name == c.Args.Name })
		if at < 0 {
			return fmt.Errorf("there is no language server called %s; to list them, run marvin lsp list --all", tools.Visible(c.Args.Name))
		}
		one := all[at]
		switch {
		case one.Program != "":
			fmt.Fprintf(world.Stdout, "%s is installed: %s\n", c.Args.Name, one.Program)
			return nil
		case one.Server.Own:
			return fmt.Errorf("you configured the language server %s yourself; install it as its documentation says", c.Args.Name)
		case strings.HasPrefix(one.Server.Install, "https://"):
			return fmt.Errorf("no single command installs %s; see %s", c.Args.Name, one.Server.Install)
		}
		return c.install(ctx, b, one.Server.Install)
	})
}

func (c lspInstall) install(ctx context.Context, b languageBench, line string) error {
	if readOnly, _ := tools.ReadOnly(b.world.Environ); readOnly {
		return errors.New("MARVIN_READONLY is set, so nothing is installed; unset it and try again")
	}
	if !c.Yes {
		if b.world.Stdin == nil || !cli.Terminal(b.world.Stdin) {
			return fmt.Errorf("without a terminal, Marvin cannot ask you; --yes runs this command without asking: %s", line)
		}
		if err := cli.Confirm(b.world, fmt.Sprintf("  %s\nRun this with all your permissions?", line), "Nothing was installed."); err != nil {
			return err
		}
	}
	dir := cmp.Or(b.world.Home, "/")
	output, err := shell.RunOwn(ctx, line, dir, b.world.Environ, nil)
	fmt.Fprintln(b.world.Stdout, strings.TrimRight(tools.Visible(output), "\n"))
	return err
}
