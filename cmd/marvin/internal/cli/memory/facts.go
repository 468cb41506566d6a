package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/facts"
	"marvin/messages/lists"
	"marvin/persistence/memory"
	"marvin/tools"
)

// Command holds the subcommands of "marvin memory".
type Command struct {
	List   factsCommand  `command:"list" description:"list the remembered facts and the proposed ones" long-description:"With --output json, the output is an array of objects with the fields \"text\", \"date\", \"scope\", \"source\", \"id\" and \"of\".\n\nExamples:\n  marvin memory list\n  marvin memory list dog\n  marvin memory list --output json"`
	Search factsCommand  `command:"search" description:"list the facts with some of these words, best match first" long-description:"Example:\n  marvin memory search dog"`
	Add    addFact       `command:"add" description:"remember a fact" long-description:"The new fact replaces one that contradicts it.\n\nExamples:\n  marvin memory add \"My dog is called Rex\"\n  marvin memory add --scope repository \"The release branch is called stable\""`
	Edit   editFact      `command:"edit" description:"change the text of a fact" long-description:"Example:\n  marvin memory edit m-3f9a2c \"My dog is called Max\""`
	Forget forgetFact    `command:"forget" description:"forget facts for good; asks first" long-description:"WORDS are an id, the full text, or words that the fact contains.\n\nExamples:\n  marvin memory forget m-3f9a2c\n  marvin memory forget dog\n  marvin memory forget --everywhere --yes Rex"`
	Accept acceptFact    `command:"accept" description:"accept a fact that a model proposed" long-description:"Example:\n  marvin memory accept p-81bc0d"`
	Refuse refuseFact    `command:"refuse" description:"drop a fact that a model proposed" long-description:"Example:\n  marvin memory refuse p-81bc0d"`
	Export exportFacts   `command:"export" description:"print all facts, or write them to a new file" long-description:"Examples:\n  marvin memory export\n  marvin memory export facts.md\n  marvin memory export --output json"`
	Import importedFacts `command:"import" description:"import facts from CLAUDE.md, MEMORY.md or preferences" long-description:"Each bullet of a Markdown file is a fact.\n\nExamples:\n  marvin memory import ~/.claude/CLAUDE.md\n  marvin memory import --yes --scope repository MEMORY.md\n  marvin memory import preferences.yaml"`
}

type factsCommand struct {
	Args struct {
		Words []string `positional-arg-name:"WORDS"`
	} `positional-args:"yes"`
}

// scoped contains the flags that "add" and "import" share.
type scoped struct {
	Scope string `long:"scope" value-name:"SCOPE" choice:"user" choice:"profile" choice:"repository" description:"what the fact is about\nThe default is \"user\", or \"profile\" if you use a profile other than \"default\"."`
	Yes   bool   `long:"yes" description:"do not ask"`
}

type addFact struct {
	scoped
	Args struct {
		Text []string `positional-arg-name:"TEXT" required:"1" description:"one short sentence"`
	} `positional-args:"yes"`
}

type editFact struct {
	Yes  bool `long:"yes" description:"do not ask"`
	Args struct {
		ID   factName `positional-arg-name:"ID" required:"yes" description:"an id that \"marvin memory list\" shows"`
		Text []string `positional-arg-name:"TEXT" required:"1" description:"the new text"`
	} `positional-args:"yes"`
}

type forgetFact struct {
	Everywhere bool `long:"everywhere" description:"delete the facts from conversations and logs, too"`
	Yes        bool `long:"yes" description:"do not ask"`
	Args       struct {
		Words []factName `positional-arg-name:"ID | WORDS" required:"1" description:"an id from \"marvin memory list\", or words from the fact"`
	} `positional-args:"yes"`
}

type answerFact struct {
	Yes  bool `long:"yes" description:"do not ask"`
	Args struct {
		IDs []factName `positional-arg-name:"ID" required:"1" description:"an id that \"marvin memory list\" shows"`
	} `positional-args:"yes"`
}

type (
	acceptFact struct{ answerFact }
	refuseFact struct{ answerFact }
)

type exportFacts struct {
	Args struct {
		File string `positional-arg-name:"FILE" description:"the file to write; standard output if not given"`
	} `positional-args:"yes"`
}

type importedFacts struct {
	scoped
	Args struct {
		Files []string `positional-arg-name:"FILE" required:"1" description:"CLAUDE.md, MEMORY.md, preferences.yaml"`
	} `positional-args:"yes"`
}

type factName string

// Complete completes the id of a fact or of a proposed fact.
func (factName) Complete(prefix string) (all []flags.Completion) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	store := memory.Open(cli.OpenHome(cli.World{Home: home, Getenv: os.Getenv}))
	found, _ := store.All() // unreadable files are skipped
	for _, fact := range store.SetIDs(found) {
		if strings.HasPrefix(fact.ID, prefix) {
			all = append(all, flags.Completion{Item: fact.ID, Description: tools.Visible(fact.Text)})
		}
	}
	waiting, _ := store.Proposals().List()
	for _, one := range waiting {
		if strings.HasPrefix(one.ID, prefix) {
			all = append(all, flags.Completion{Item: one.ID, Description: tools.Visible(one.Text)})
		}
	}
	return all
}

func deskOf(w cli.World, opts cli.Options) (facts.Editor, error) {
	if opts.Output == "jsonl" {
		return facts.Editor{}, errors.New("\"marvin memory\" writes text, or JSON with --output json")
	}
	home := cli.OpenHome(w)
	dir, err := cli.WorkingDir(w, opts)
	if err != nil {
		return facts.Editor{}, err
	}
	profile, err := home.LastProfile()
	if err != nil {
		return facts.Editor{}, err
	}
	return facts.Editor{Store: memory.Open(home), Where: memory.Location{Profile: profile, Dir: dir}, Source: "typed in a shell", Secret: KeysIn(w)}, nil
}

// KeysIn returns a function that looks for the user's keys in a string. The function returns a
// description of what it found, or "" if it found no key.
func KeysIn(w cli.World) func(text string) string {
	return func(text string) string {
		if tools.SecretsOf(w.Environ, w.Home).Hide(text) != text {
			return "one of your keys"
		}
		return ""
	}
}

func (c factsCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	desk, err := deskOf(world, opts)
	if err != nil {
		return err
	}
	list, err := desk.List(strings.Join(c.Args.Words, " "))
	if opts.Output == "json" {
		if list == nil {
			list = []memory.Fact{}
		}
		return errors.Join(cli.WriteLine(world, list), err)
	}
	if err != nil && len(list) == 0 {
		return err
	}
	_, wrong := fmt.Fprint(world.Stdout, desk.Text(list, "marvin memory"))
	return errors.Join(err, wrong)
}

func (c addFact) Run(_ context.Context, world cli.World, opts cli.Options) error {
	desk, err := deskOf(world, opts)
	if err != nil {
		return err
	}
	said, added, err := desk.Add(strings.Join(c.Args.Text, " "), c.Scope)
	return world.Say(opts, said, added.Fact, err)
}

func (c editFact) Run(_ context.Context, world cli.World, opts cli.Options) error {
	desk, err := deskOf(world, opts)
	if err != nil {
		return err
	}
	said, added, err := desk.Edit(string(c.Args.ID), strings.Join(c.Args.Text, " "))
	return world.Say(opts, said, added.Fact, err)
}

func (c forgetFact) Run(_ context.Context, world cli.World, opts cli.Options) error {
	desk, err := deskOf(world, opts)
	if err != nil {
		return err
	}
	words := lists.Map(c.Args.Words, func(word factName) string { return string(word) })
	found, err := desk.Find(strings.Join(words, " "))
	if err != nil {
		return err
	}
	if !c.Yes {
		for _, fact := range found {
			fmt.Fprintln(world.Stderr, fact.ID, tools.Visible(fact.Text))
		}
		if c.Everywhere {
			look, err := desk.Store.Sweep(memory.NewEraser(found...), true)
			if err != nil {
				return err
			}
			fmt.Fprintf(world.Stderr, "The words occur in %d places in %d files.\n", look.Places, len(look.Files))
		}
		if err := world.AskConsent("Forget this for good?", "Nothing was forgotten."); err != nil {
			return err
		}
	}
	done, err := desk.Forget(found, c.Everywhere)
	return world.Say(opts, done.Text(c.Everywhere), done, err)
}

func (c acceptFact) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return c.answer(world, opts, true)
}

func (c refuseFact) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return c.answer(world, opts, false)
}

func (c answerFact) answer(world cli.World, opts cli.Options, yes bool) error {
	desk, err := deskOf(world, opts)
	if err != nil {
		return err
	}
	var said []string
	for _, id := range c.Args.IDs {
		text, problem := desk.Answer(string(id), yes)
		if err = errors.Join(err, problem); problem == nil {
			said = append(said, text)
		}
	}
	return world.Say(opts, strings.Join(said, "\n"), said, err)
}

func (c exportFacts) Run(_ context.Context, world cli.World, opts cli.Options) error {
	desk, err := deskOf(world, opts)
	if err != nil {
		return err
	}
	text, err := desk.Export(opts.Output == "json" || strings.HasSuffix(c.Args.File, ".json"))
	if err != nil {
		return err
	}
	if c.Args.File == "" {
		_, err = world.Stdout.Write(text)
		return err
	}
	path := c.Args.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(world.Dir, path)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("export the facts: %w; name a file that does not exist yet", err)
	}
	_, err = file.Write(text)
	return world.Say(opts, "Written: "+path, map[string]string{"file": path}, errors.Join(err, file.Close()))
}

func (c importedFacts) Run(_ context.Context, world cli.World, opts cli.Options) error {
	desk, err := deskOf(world, opts)
	if err != nil {
		return err
	}
	for _, path := range c.Args.Files {
		if !filepath.IsAbs(path) {
			path = filepath.Join(world.Dir, path)
		}
		if err := c.importFile(world, opts, desk, path); err != nil {
			return err
		}
	}
	return nil
}

// importFile imports the facts from a file. Without --yes, the user must approve the facts.
func (c importedFacts) importFile(world cli.World, opts cli.Options, desk facts.Editor, path string) error {
	texts, err := memory.Read(path)
	if err != nil {
		return err
	}
	if len(texts) == 0 {
		return fmt.Errorf("no facts were found in %s; in Markdown, each bullet is a fact; in YAML, each entry that has a value is one", path)
	}
	if !c.Yes {
		for _, text := range texts {
			fmt.Fprintln(world.Stderr, "-", tools.Visible(text))
		}
		if err := world.AskConsent(fmt.Sprintf("Remember these %d facts?", len(texts)), "Nothing was remembered."); err != nil {
			return err
		}
	}
	done, err := desk.Import(texts, filepath.Base(path), c.Scope)
	said, list := []string{}, []memory.Fact{}
	for _, added := range done.Added {
		said, list = append(said, facts.AddedText(added)), append(list, added.Fact)
	}
	for _, refused := range done.Refused {
		said = append(said, "Left out: "+refused)
	}
	return world.Say(opts, strings.Join(said, "\n"), list, err)
}
