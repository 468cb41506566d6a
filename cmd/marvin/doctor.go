package main

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

	"marvin/cmd/marvin/internal/live"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/persistence/spending"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/tools"
	"marvin/tools/schedule"
)

type doctorCommand struct {
	All bool `long:"all" description:"also each provider without a key"`
}

// Run says what is configured, what is reachable and what is missing, each with what
// mends it. It exits 1 only if Marvin could not answer at all.
func (d doctorCommand) Run(ctx context.Context, world World, opts options) error {
	if opts.Output == "jsonl" {
		return errors.New("marvin doctor writes text, or JSON with --output json")
	}
	found := diagnose(ctx, world, opts)
	if opts.Output == "json" {
		if err := writeLine(world, found.forPrograms()); err != nil {
			return err
		}
	} else {
		found.write(world.Stdout, d.All)
	}
	if found.wrong != nil {
		return errTold
	}
	return nil
}

// diagnosis is all that the doctor found.
type diagnosis struct {
	version   string              // of this Marvin
	selection providers.Selection // who answers
	wrong     error               // why none is available; nil if one is
	sections  []section
}

func diagnose(ctx context.Context, world World, opts options) (found diagnosis) {
	home := openHome(world)
	settings, _ := settings.Read(home) // fileFindings says what is wrong with it
	all, wrong := newAccounts(world, settings)
	found.version = world.Version
	found.selection, found.wrong = all.choose(opts)
	found.wrong = errors.Join(wrong, found.wrong)
	models := modelFindings(ctx, all, opts)
	chosen := slices.IndexFunc(models, func(f finding) bool { return f.what == found.selection.Provider })
	if found.wrong == nil && chosen >= 0 && !models[chosen].good {
		found.wrong = errors.New(models[chosen].state)
	} else if found.wrong != nil {
		found.selection = providers.Selection{}
	}
	found.sections = []section{
		{"Models", models},
		{"Files", append(fileFindings(world, home), ruleFindings(world, opts, home, settings)...)},
		{"Programs", append(programFindings(world), sandboxFinding(ctx, world, opts), schedulesFinding(ctx, world, home))},
		{"Windows", []finding{doorFinding(ctx, world)}},
		{"Environment", append(environmentFindings(world.passing(settings)), coloursFinding(world, settings))},
	}
	return found
}

// write prints the diagnosis. Unless all is set, providers that only lack a key are folded into one
// line if some provider is available.
func (d diagnosis) write(out io.Writer, all bool) {
	fmt.Fprintf(out, "marvin %s, %s %s/%s\n\n", d.version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	switch chosen := d.selection; {
	case chosen.Provider == "":
		fmt.Fprintf(out, "No model: %v\n", d.wrong)
	case d.wrong != nil:
		fmt.Fprintf(out, "Answers should come from %s, %s: %s. But they cannot: %v.\n", chosen.Provider, chosen.Model, chosen.Why, d.wrong)
	default:
		fmt.Fprintf(out, "Answers come from %s, %s: %s.\n", chosen.Provider, chosen.Model, chosen.Why)
	}
	for _, part := range d.sections {
		fmt.Fprintf(out, "\n%s\n", part.title)
		without := 0
		for _, f := range part.findings {
			if f.state == noKey && !all && d.wrong == nil {
				without++
				continue
			}
			mark := "-"
			if f.good {
				mark = "+"
			}
			fmt.Fprintf(out, "  %s %-16s %s\n", mark, f.what, f.state)
			if f.mend != "" && !f.good {
				fmt.Fprintf(out, "    %-16s mend: %s\n", "", f.mend)
			}
		}
		if without > 0 {
			fmt.Fprintf(out, "  - %s without a key (marvin doctor --all; marvin login PROVIDER)\n", others(without))
		}
	}
}

// doorFinding is about the sockets by which windows join live conversations.
func doorFinding(ctx context.Context, world World) finding {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	f := finding{what: "doors"}
	f.state, f.good, f.mend = live.Doors(ctx, world.doorPlace())
	return f
}

// modelFindings looks at all providers at once: an unreachable one costs its deadline.
func modelFindings(ctx context.Context, all *accounts, opts options) []finding {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	list := all.pool.All()
	findings := make([]finding, len(list))
	var looks sync.WaitGroup
	for i, provider := range list {
		looks.Go(func() { findings[i] = lookAtModel(ctx, all, opts, provider) })
	}
	looks.Wait()
	return findings
}

func lookAtModel(ctx context.Context, all *accounts, opts options, provider providers.Provider) finding {
	f := finding{what: provider.Name}
	if address, quiet := all.quiet(provider); quiet {
		f.state, f.mend = "does not answer at "+address, "start its server   (or set "+provider.URLVar+")"
		if provider.Name == providers.Ollama {
			f.mend = noOllama(cmp.Or(all.world.Getenv(provider.ModelVar), provider.Model))
		}
		return f
	}
	selection, err := providers.Resolve(all.wishes(provider.Name, opts.Model))
	switch {
	case errors.Is(err, providers.ErrNoKey) && provider.Account:
		f.state, f.mend = "nobody is logged in", "marvin login "+provider.Name
		return f
	case errors.Is(err, providers.ErrNoKey) && provider.KeySource != "":
		f.state, f.mend = unasked(err).Error(), "correct key: below "+provider.Name+" in config.yaml"
		if name, variable := strings.CutPrefix(provider.KeySource, "$"); variable {
			f.mend = "export " + strings.Trim(name, "{}") + "=…"
		} else if inRing(provider) != "" {
			f.mend = "marvin login " + provider.Name
		}
		return f
	case errors.Is(err, providers.ErrNoKey):
		f.state = noKey
		f.mend = fmt.Sprintf("marvin login %s, or export %s=…   (get one at %s)", provider.Name, provider.KeyVar, provider.KeyPage)
		return f
	case err != nil:
		f.state = err.Error()
		return f
	case provider.Name == providers.Offline:
		f.good, f.state = true, "built in: plain requests, no model, no network"
		return f
	}
	f.state = selection.Model
	if selection.KeyFrom != "" {
		f.state += ", key from " + selection.KeyFrom
	}
	if provider.Name == providers.Copilot {
		if f.good, f.state = copilot.Usable(tools.Trusted(all.world.Environ)); !f.good {
			f.mend = "npm install -g @github/copilot, then copilot and /login   (or set GH_TOKEN)"
		}
		return f
	}
	if provider.Wire == providers.OllamaWire {
		return all.lookAtOllama(ctx, selection)
	}
	if err := dial(ctx, selection.BaseURL); err != nil {
		f.state += ", not reachable: " + err.Error()
		f.mend = "check the network, HTTPS_PROXY or the URL variable"
		return f
	}
	f.good, f.state = true, f.state+", reachable"
	return f
}

// dial checks that the host of a URL takes connections. It sends nothing, and no key.
func dial(ctx context.Context, base string) error {
	address, err := url.Parse(base)
	if err != nil {
		return err
	}
	port := address.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[address.Scheme]
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(address.Hostname(), port))
	if err != nil {
		return err
	}
	return conn.Close()
}

func fileFindings(world World, home *persistence.Home) []finding {
	if home.State == "" {
		return []finding{{what: "home", state: "there is none, nothing is stored", mend: "set HOME to an existing directory"}}
	}
	state := finding{what: "state", state: home.State, good: true}
	if _, err := os.Stat(home.State); err != nil {
		state.state += " (made when something is stored)"
	}
	config := finding{what: "config.yaml", state: "read", good: true}
	if _, err := os.Stat(filepath.Join(home.State, "config.yaml")); errors.Is(err, os.ErrNotExist) {
		config.state = "none, so the defaults hold"
	}
	if _, err := settings.Read(home); err != nil {
		config = finding{what: "config.yaml", state: err.Error(), mend: "edit " + home.State + "/config.yaml"}
		if errors.As(err, new(*settings.GuardsError)) {
			config.state = "Marvin does not start: " + config.state
		}
	}
	profile := finding{what: "profile", good: true}
	name, err := home.LastProfile()
	profile.state = name
	if err != nil {
		profile.good, profile.state = false, err.Error()
	}
	usage := finding{what: "usage.json", good: true}
	if total, err := spending.Of(home).Usage(); err != nil {
		usage.good, usage.state = false, err.Error()
	} else {
		usage.state = fmt.Sprintf("$%.4f in %d round trips", total.Cost, total.Turns)
	}
	found := []finding{state, config, profile, usage}
	if _, err := settings.ReadPrices(home); err != nil {
		found = append(found, finding{what: "prices", state: err.Error(), mend: "correct or remove that file (marvin help models, Prices)"})
	}
	return found
}

// ruleFindings says which rules of the user mean nothing, and which are about tools that
// are switched off.
func ruleFindings(world World, opts options, home *persistence.Home, settings settings.Config) (list []finding) {
	rules := settings.Permissions
	if len(rules.Allow)+len(rules.Ask)+len(rules.Deny) == 0 {
		return nil
	}
	permissions, err := tools.NewPermissions(rules.Allow, rules.Ask, rules.Deny)
	if err != nil {
		return []finding{{what: "rules", state: "Marvin does not start: " + err.Error(), mend: "edit " + home.State + "/config.yaml"}}
	}
	dir, err := workingDir(world, opts)
	if err != nil {
		dir = world.Dir
	}
	shelf, _, _ := shelved(newRegistry(home, tools.NewHTTPClient(nil), world.Now), home, dir)
	for _, problem := range ruleProblems(permissions, shelf.Known(), home, settings) {
		list = append(list, finding{what: "rules", state: "Marvin does not start: " + settingPlace(home, problem) + ": " + problem.Error(), mend: "edit that line"})
	}
	if readOnly, _ := tools.ReadOnly(world.Environ); readOnly {
		for _, entry := range slices.Concat(rules.Allow, rules.Ask) {
			name, _, _ := strings.Cut(entry, "(")
			if tool, found := shelf.Known().Lookup(strings.TrimSpace(name)); found && tool.Writes {
				list = append(list, finding{what: "rules", good: true, state: tools.Visible(entry) + " is about a tool that is off, because MARVIN_READONLY=1"})
			}
		}
	}
	if len(list) == 0 {
		list = []finding{{what: "rules", good: true, state: messages.Counted(len(rules.Allow)+len(rules.Ask)+len(rules.Deny), "rule") + ", each about a tool that there is or may be"}}
	}
	return list
}

// programs are used by tools, each for a purpose.
var programs = []struct{ name, use, mend string }{
	{"git", "git tools, and tree with .gitignore", "apt install git"},
	{"rg", "code_grep (without it a slower search is used)", "apt install ripgrep"},
	{"bash", "run_command (without it sh is used)", "apt install bash"},
}

func programFindings(world World) []finding {
	findings := make([]finding, len(programs))
	for i, program := range programs {
		path, err := tools.Program(program.name, world.Environ)
		findings[i] = finding{what: program.name, state: path, good: err == nil, mend: program.mend}
		switch {
		case errors.As(err, new(*tools.Untrusted)):
			findings[i].state, findings[i].mend = "not used: "+err.Error(), ""
		case err != nil:
			findings[i].state = "missing: " + program.use
		}
	}
	if left := tools.LeftOut(world.Environ); len(left) > 0 {
		findings = append(findings, finding{what: "PATH", good: true, state: "only commands of yours and in the sandbox use " + strings.Join(left, ", ") + ": a project can write there"})
	}
	return findings
}

// schedulesFinding says what starts schedules while no Marvin is open.
func schedulesFinding(ctx context.Context, world World, home *persistence.Home) finding {
	by := schedule.New(home, nil, program()).Starter(ctx, world.Environ)
	return finding{what: "schedules", state: by.String(), good: by.By != "", mend: "install cron and start its daemon"}
}

// environmentFindings lists what is set; keys are named, never shown.
func environmentFindings(world World) []finding {
	var findings []finding
	for _, name := range []string{
		"LLM_PROVIDER", "MARVIN_MODEL", "MARVIN_READONLY", "MARVIN_SUBAGENT_LOG", "MARVIN_SILENCE_TIMEOUT", "MARVIN_HOSTS",
		"HTTPS_PROXY", "SSL_CERT_FILE",
	} {
		if value := world.Getenv(name); value != "" {
			findings = append(findings, finding{what: name, state: strings.ToValidUTF8(value, "�"), good: true})
		}
	}
	if _, err := tools.ReadOnly(world.Environ); err != nil {
		findings = append(findings, finding{what: "MARVIN_READONLY", state: "Marvin does not start: " + tools.Visible(err.Error()), mend: "set it to 1 or 0"})
	}
	if _, err := windowVariable(world.Getenv("OLLAMA_CONTEXT_LENGTH")); err != nil {
		findings = append(findings, finding{what: "OLLAMA_CONTEXT_LENGTH", state: tools.Visible(err.Error()), mend: "unset it"})
	}
	if len(findings) == 0 {
		findings = append(findings, finding{what: "variables", state: "none of Marvin's is set", good: true})
	}
	return append(findings, withheldFinding(world))
}

// withheldFinding names what commands do not see, by why.
func withheldFinding(world World) finding {
	f := finding{what: "for commands", state: "all variables", good: true}
	secrets, unknown := tools.Withheld(world.Environ)
	var all []string
	if len(secrets) > 0 {
		all = append(all, "they look like keys: "+strings.Join(secrets, ", "))
	}
	if len(unknown) > 0 {
		all = append(all, "no common program needs them: "+strings.Join(unknown, ", "))
	}
	if len(all) > 0 {
		f.state = tools.Visible(strings.ToValidUTF8(fmt.Sprintf("%d variables are withheld; %s (MARVIN_PASS_ENV passes those that it names)", len(secrets)+len(unknown), strings.Join(all, "; ")), "�"))
	}
	return f
}
