package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/cmd/marvin/internal/live"
	"marvin/cmd/marvin/internal/themes"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/persistence/spending"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/tools"
	"marvin/tools/schedule"
)

type Command struct {
	All bool `long:"all" description:"also list providers without a key"`
}

// Run reports what is configured, what is reachable and what is missing, with a remedy for each
// problem. The exit status is 1 only if no model is available.
func (d Command) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	if opts.Output == "jsonl" {
		return errors.New("\"marvin doctor\" writes text, or JSON with --output json")
	}
	found := diagnose(ctx, world, opts)
	if opts.Output == "json" {
		if err := cli.WriteLine(world, found.forPrograms()); err != nil {
			return err
		}
	} else {
		found.write(world.Stdout, d.All)
	}
	if found.wrong != nil {
		return cli.ErrReported
	}
	return nil
}

type diagnosis struct {
	version   string              // version of Marvin
	selection providers.Selection // the selected model
	wrong     error               // why no model is available, or nil
	sections  []section
}

func diagnose(ctx context.Context, world cli.World, opts cli.Options) (found diagnosis) {
	home := cli.OpenHome(world)
	settings, _ := settings.Read(home) // fileFindings reports the error
	all, wrong := accounts.New(world, settings)
	found.version = world.Version
	found.selection, found.wrong = all.Choose(opts)
	found.wrong = errors.Join(wrong, found.wrong)
	models := modelFindings(ctx, all, opts)
	chosen := slices.IndexFunc(models, func(f cli.Finding) bool { return f.What == found.selection.Provider })
	if found.wrong == nil && chosen >= 0 && !models[chosen].Good {
		found.wrong = errors.New(models[chosen].State)
	} else if found.wrong != nil {
		found.selection = providers.Selection{}
	}
	found.sections = []section{
		{"Models", models},
		{"Files", append(fileFindings(home), ruleFindings(world, opts, home, settings)...)},
		{"Programs", append(programFindings(world), app.SandboxFinding(ctx, world, opts), schedulesFinding(ctx, world, home))},
		{"Windows", []cli.Finding{doorFinding(ctx, world)}},
		{"Environment", append(environmentFindings(world.WithPassEnv(settings)), themes.ColoursFinding(world, settings))},
	}
	return found
}

// write sends the diagnosis to out. Providers without a key are only counted, unless --all is given
// or no model is available.
func (d diagnosis) write(out io.Writer, all bool) {
	fmt.Fprintf(out, "marvin %s, %s %s/%s\n\n", d.version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	switch chosen := d.selection; {
	case chosen.Provider == "":
		fmt.Fprintf(out, "No model: %v\n", d.wrong)
	case d.wrong != nil:
		fmt.Fprintf(out, "Answers would come from %s, %s: %s. But it cannot answer: %v.\n", chosen.Provider, chosen.Model, chosen.Why, d.wrong)
	default:
		fmt.Fprintf(out, "Answers come from %s, %s: %s.\n", chosen.Provider, chosen.Model, chosen.Why)
	}
	for _, part := range d.sections {
		fmt.Fprintf(out, "\n%s\n", part.title)
		without := 0
		for _, f := range part.findings {
			if f.State == accounts.NoKey && !all && d.wrong == nil {
				without++
				continue
			}
			mark := "-"
			if f.Good {
				mark = "+"
			}
			fmt.Fprintf(out, "  %s %-16s %s\n", mark, f.What, f.State)
			if f.Mend != "" && !f.Good {
				fmt.Fprintf(out, "    %-16s mend: %s\n", "", f.Mend)
			}
		}
		if without > 0 {
			fmt.Fprintf(out, "  - %s without a key (marvin doctor --all; marvin login PROVIDER)\n", accounts.FoldedProviders(without))
		}
	}
}

// doorFinding checks the sockets through which windows join live conversations.
func doorFinding(ctx context.Context, world cli.World) cli.Finding {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	f := cli.Finding{What: "doors"}
	f.State, f.Good, f.Mend = live.CheckDoors(ctx, world.DoorPlace())
	return f
}

// modelFindings checks all providers at the same time, because an unreachable provider uses up the
// time limit.
func modelFindings(ctx context.Context, all *accounts.Accounts, opts cli.Options) []cli.Finding {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	list := all.Pool.All()
	findings := make([]cli.Finding, len(list))
	var looks sync.WaitGroup
	for i, provider := range list {
		looks.Go(func() { findings[i] = lookAtModel(ctx, all, opts, provider) })
	}
	looks.Wait()
	return findings
}

func lookAtModel(ctx context.Context, all *accounts.Accounts, opts cli.Options, provider providers.Provider) cli.Finding {
	f := cli.Finding{What: provider.Name}
	if address, quiet := all.Unresponsive(provider); quiet {
		f.State, f.Mend = "does not answer at "+address, "start its server   (or set "+provider.URLVar+")"
		if provider.Name == providers.Ollama {
			f.Mend = accounts.NoOllama(cmp.Or(all.World.Getenv(provider.ModelVar), provider.Model))
		}
		return f
	}
	selection, err := providers.Resolve(all.Wishes(provider.Name, opts.Model))
	switch {
	case errors.Is(err, providers.ErrNoKey) && provider.Account:
		f.State, f.Mend = "nobody is logged in", "marvin login "+provider.Name
		return f
	case errors.Is(err, providers.ErrNoKey) && provider.KeySource != "":
		f.State, f.Mend = accounts.WithoutChoice(err).Error(), "correct key: below "+provider.Name+" in config.yaml"
		if name, variable := strings.CutPrefix(provider.KeySource, "$"); variable {
			f.Mend = "export " + strings.Trim(name, "{}") + "=…"
		} else if accounts.KeyringName(provider) != "" {
			f.Mend = "marvin login " + provider.Name
		}
		return f
	case errors.Is(err, providers.ErrNoKey):
		f.State = accounts.NoKey
		f.Mend = fmt.Sprintf("marvin login %s, or export %s=…   (get a key at %s)", provider.Name, provider.KeyVar, provider.KeyPage)
		return f
	case err != nil:
		f.State = err.Error()
		return f
	case provider.Name == providers.Offline:
		f.Good, f.State = true, "built in: plain requests, no model, no network"
		return f
	}
	f.State = selection.Model
	if selection.KeyFrom != "" {
		f.State += ", key from " + selection.KeyFrom
	}
	if provider.Name == providers.Copilot {
		if f.Good, f.State = copilot.Usable(tools.Trusted(all.World.Environ)); !f.Good {
			f.Mend = "npm install -g @github/copilot, then start copilot and type /login   (or set GH_TOKEN)"
		}
		return f
	}
	if provider.Wire == providers.OllamaWire {
		return all.LookAtOllama(ctx, selection)
	}
	if err := dial(ctx, selection.BaseURL); err != nil {
		f.State += ", not reachable: " + err.Error()
		f.Mend = "check the network, HTTPS_PROXY and the provider's URL variable"
		return f
	}
	f.Good, f.State = true, f.State+", reachable"
	return f
}

// dial verifies that the host of a URL accepts connections. It sends neither data nor a key.
func dial(ctx context.Context, base string) error {
	address, err := url.Parse(base)
	if err != nil {
		return err
	}
	port := cmp.Or(address.Port(), map[string]string{"http": "80", "https": "443"}[address.Scheme])
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(address.Hostname(), port))
	if err != nil {
		return err
	}
	return conn.Close()
}

func fileFindings(home *persistence.Home) []cli.Finding {
	if home.State == "" {
		return []cli.Finding{{What: "home", State: "not found, so nothing is stored", Mend: "set HOME to an existing directory"}}
	}
	settled := cli.Finding{What: "settings", State: home.State, Good: true}
	if _, err := os.Stat(home.State); err != nil {
		settled.State += " (created when something is stored)"
	}
	data, logs := cli.Finding{What: "conversations", State: home.Data, Good: true}, cli.Finding{What: "log", State: home.Logs, Good: true}
	config := cli.Finding{What: "config.yaml", State: "read", Good: true}
	if _, err := os.Stat(filepath.Join(home.State, "config.yaml")); errors.Is(err, os.ErrNotExist) {
		config.State = "none, so the defaults apply"
	}
	if _, err := settings.Read(home); err != nil {
		config = cli.Finding{What: "config.yaml", State: err.Error(), Mend: "edit " + home.State + "/config.yaml"}
		if errors.As(err, new(*settings.GuardsError)) {
			config.State = "Marvin does not start: " + config.State
		}
	}
	profile := cli.Finding{What: "profile", Good: true}
	name, err := home.LastProfile()
	profile.State = name
	if err != nil {
		profile.Good, profile.State = false, err.Error()
	}
	usage := cli.Finding{What: "usage.json", Good: true}
	if total, err := spending.Of(home).Usage(); err != nil {
		usage.Good, usage.State = false, err.Error()
	} else {
		usage.State = fmt.Sprintf("$%.4f in %d round trips", total.Cost, total.Turns)
	}
	found := []cli.Finding{settled, data, logs, config, profile, usage}
	if _, err := settings.ReadPrices(home); err != nil {
		found = append(found, cli.Finding{What: "prices", State: err.Error(), Mend: "correct or remove the file of prices (marvin help models, Prices)"})
	}
	return found
}

// ruleFindings reports rules about disabled tools, and rules that can never match.
func ruleFindings(world cli.World, opts cli.Options, home *persistence.Home, settings settings.Config) (list []cli.Finding) {
	rules := settings.Permissions
	if len(rules.Allow)+len(rules.Ask)+len(rules.Deny) == 0 {
		return nil
	}
	permissions, err := tools.NewPermissions(rules.Allow, rules.Ask, rules.Deny)
	if err != nil {
		return []cli.Finding{{What: "rules", State: "Marvin does not start: " + err.Error(), Mend: "edit " + home.State + "/config.yaml"}}
	}
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		dir = world.Dir
	}
	shelf, _, _ := extensions.NewShelf(extensions.NewRegistry(home, tools.NewHTTPClient(nil), world.Now), home, dir)
	for _, problem := range app.RuleProblems(permissions, shelf.CurrentSnapshot(), home, settings) {
		list = append(list, cli.Finding{What: "rules", State: "Marvin does not start: " + app.SettingPlace(home, problem) + ": " + problem.Error(), Mend: "edit that line"})
	}
	if readOnly, _ := tools.ReadOnly(world.Environ); readOnly {
		for _, entry := range slices.Concat(rules.Allow, rules.Ask) {
			name, _, _ := strings.Cut(entry, "(")
			if tool, found := shelf.CurrentSnapshot().Lookup(strings.TrimSpace(name)); found && tool.Writes {
				list = append(list, cli.Finding{What: "rules", Good: true, State: tools.Visible(entry) + " is about a tool that is off, because MARVIN_READONLY=1"})
			}
		}
	}
	if len(list) == 0 {
		list = []cli.Finding{{What: "rules", Good: true, State: messages.Counted(len(rules.Allow)+len(rules.Ask)+len(rules.Deny), "rule") + "; no rule mentions an unknown tool"}}
	}
	return list
}

// programs lists some external programs that tools use, the purpose of each program, and the
// command that installs it.
var programs = []struct{ name, use, mend string }{
	{"git", "git tools, and tree with .gitignore", "apt install git"},
	{"rg", "code_grep (without rg, a slower search is used)", "apt install ripgrep"},
	{"bash", "run_command (without bash, sh is used)", "apt install bash"},
}

func programFindings(world cli.World) []cli.Finding {
	findings := make([]cli.Finding, len(programs))
	for i, program := range programs {
		path, err := tools.Program(program.name, world.Environ)
		findings[i] = cli.Finding{What: program.name, State: path, Good: err == nil, Mend: program.mend}
		switch {
		case errors.As(err, new(*tools.Untrusted)):
			findings[i].State, findings[i].Mend = "not used: "+err.Error(), ""
		case err != nil:
			findings[i].State = "missing: " + program.use
		}
	}
	if left := tools.LeftOut(world.Environ); len(left) > 0 {
		findings = append(findings, cli.Finding{What: "PATH", Good: true, State: "only your own commands, and commands in the sandbox, use " + strings.Join(left, ", ") + ", because a project can write there"})
	}
	return findings
}

// schedulesFinding reports which program starts scheduled runs while Marvin is closed.
func schedulesFinding(ctx context.Context, world cli.World, home *persistence.Home) cli.Finding {
	by := schedule.New(home, nil, extensions.Program()).Starter(ctx, world.Environ)
	return cli.Finding{What: "schedules", State: by.String(), Good: by.By != "", Mend: "install cron and start its daemon"}
}

// environmentFindings lists the environment variables that affect Marvin, and their values. For
// variables that commands do not receive, it lists only the names.
func environmentFindings(world cli.World) []cli.Finding {
	var findings []cli.Finding
	for _, name := range []string{
		"LLM_PROVIDER", "MARVIN_MODEL", "MARVIN_READONLY", "MARVIN_SUBAGENT_LOG", "MARVIN_SILENCE_TIMEOUT", "MARVIN_HOSTS",
		"HTTPS_PROXY", "SSL_CERT_FILE",
	} {
		if value := world.Getenv(name); value != "" {
			findings = append(findings, cli.Finding{What: name, State: strings.ToValidUTF8(value, "�"), Good: true})
		}
	}
	if _, err := tools.ReadOnly(world.Environ); err != nil {
		findings = append(findings, cli.Finding{What: "MARVIN_READONLY", State: "Marvin does not start: " + tools.Visible(err.Error()), Mend: "set it to 1 or 0"})
	}
	if _, err := accounts.WindowVariable(world.Getenv("OLLAMA_CONTEXT_LENGTH")); err != nil {
		findings = append(findings, cli.Finding{What: "OLLAMA_CONTEXT_LENGTH", State: tools.Visible(err.Error()), Mend: "unset it"})
	}
	if len(findings) == 0 {
		findings = append(findings, cli.Finding{What: "variables", State: "none of Marvin's is set", Good: true})
	}
	return append(findings, withheldFinding(world))
}

// withheldFinding lists the variables that commands do not receive, grouped by reason.
func withheldFinding(world cli.World) cli.Finding {
	f := cli.Finding{What: "for commands", State: "all variables", Good: true}
	secrets, unknown := tools.Withheld(world.Environ)
	var all []string
	if len(secrets) > 0 {
		all = append(all, "they look like keys: "+strings.Join(secrets, ", "))
	}
	if len(unknown) > 0 {
		all = append(all, "Marvin knows no command that needs them: "+strings.Join(unknown, ", "))
	}
	if len(all) > 0 {
		f.State = tools.Visible(strings.ToValidUTF8(fmt.Sprintf("%d variables are withheld; %s (list variables in MARVIN_PASS_ENV to pass them)", len(secrets)+len(unknown), strings.Join(all, "; ")), "�"))
	}
	return f
}

type section struct {
	title    string
	findings []cli.Finding
}
