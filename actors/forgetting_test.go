package actors_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/memory"
	"marvin/persistence/sessions"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/files"
	memorytools "marvin/tools/memory"
)

// secretName matches the names in the facts, so that the model can repeat each name that it reads.
var secretName = regexp.MustCompile(`(?i)zq\pLx\d{4}`)

// Random lives of a fact: it is remembered, corrected, mentioned, written to files and artifacts,
// summarized, copied into branches, given to sub-agents, and forgotten. The model repeats every
// name that it reads. After that, no request and no file of the memory contains the names. If
// everywhere is set, no file of Marvin's contains them and no resumed conversation sends them.
// make lives runs 500; LIVES_SEED=7 selects others.
func TestForgettingLeavesNoWordInAnyLife(t *testing.T) {
	count, seed := 16, uint64(1)
	if testing.Short() {
		count = 8
	}
	if text := os.Getenv("FORGETTING_LIVES"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	if text := os.Getenv("LIVES_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	for n := range count {
		t.Run(fmt.Sprint("life ", n), func(t *testing.T) {
			t.Parallel()
			f := &factLife{life: life{t: t, random: rand.New(rand.NewPCG(seed, uint64(n)))}}
			f.dir, f.home = f.temp(), f.temp()
			f.server = modeltest.StartFunc(t, f.parrot)
			f.live()
		})
	}
}

// factLife is a life with one changing fact.
type factLife struct {
	life
	mu        sync.Mutex
	next      []modeltest.Call // the calls for the next prompt
	form      string           // the fact, with %s for the name
	names     []string         // the names that the fact has had
	everyone  []string         // all conversations of the life
	forgotten bool
}

// parrot is a model that makes the calls of a prompt, and repeats all names that it reads.
func (f *factLife) parrot(request modeltest.Request) modeltest.Step {
	read := slices.Compact(slices.Sorted(slices.Values(secretName.FindAllString(string(request.Raw), -1))))
	said := modeltest.Text("I know ", fmt.Sprint(len(read)), " names: ", strings.Join(read, " and "), ".")
	f.mu.Lock()
	defer f.mu.Unlock()
	if calls := f.next; len(calls) > 0 && request.Last().Role == messages.User && len(request.Tools) > 0 && !strings.Contains(prompted(request), "task ") {
		f.next = nil
		return modeltest.Think("They said " + strings.Join(read, ", ")).Append(modeltest.Calls(calls...))
	}
	return said
}

// gives passes a task with the name to a sub-agent.
func (f *factLife) gives() tools.Tool {
	return delegate(1, 1, func(task *tools.Task) { task.Prompt = "task about " + f.name() })
}

func (f *factLife) name() string {
	if f.forgotten || len(f.names) == 0 {
		return "nothing"
	}
	return f.names[len(f.names)-1]
}

// fact returns the fact with a new name.
func (f *factLife) fact() string {
	f.names = append(f.names, fmt.Sprintf("Zq%cx%d", pick(f.random, 'a', 'k', 'ö', 'é', 'ж'), 1000+f.random.IntN(9000)))
	return fmt.Sprintf(f.form, f.name())
}

func (f *factLife) start(id string) {
	keep := func(home *persistence.Home) *actors.StoredSession {
		return actors.StoreSession(home, sessions.Header{Dir: f.dir, Profile: "default"}, "", "")
	}
	if id != "" {
		keep = func(home *persistence.Home) *actors.StoredSession {
			kept, err := actors.Resume(home, id, "")
			if err != nil {
				f.fail("%v", err)
			}
			return kept
		}
	}
	f.tree = actorstest.Start(f.t, actorstest.Setup{
		Server: f.server, Home: f.home, Dir: f.dir, Policy: &actors.Policy{Coding: true, Person: true}, Keep: keep,
		Tools:   append(append(files.Tools(), memorytools.New(persistence.Open(f.home, time.Now)).Tools()...), say(), filler(6000), f.gives()),
		Context: actors.ContextLimits{Warn: 18_000, Compact: 20_000, Refuse: 60_000},
	})
	f.rest()
}

// rest waits until all files are written, and finds the existing conversations.
func (f *factLife) rest() {
	f.settle()
	for _, id := range append(f.known, f.id) {
		if id != "" && !slices.Contains(f.everyone, id) {
			f.everyone = append(f.everyone, id)
		}
	}
}

// answered reads until an event, and answers questions with yes.
func (f *factLife) answered(last func(messages.Event) bool) {
	f.tree.ReadUntilMatch(func(event messages.Event) bool {
		if asked, is := event.(messages.Asked); is {
			f.tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{"yes"}}}})
		}
		return last(event)
	})
}

func (f *factLife) send(op messages.Op, last func(messages.Event) bool) {
	f.done = append(f.done, fmt.Sprintf("%T", op))
	f.tree.Client.Send(op)
	f.answered(last)
	f.rest()
}

func (f *factLife) prompt(text string, calls ...modeltest.Call) {
	f.mu.Lock()
	f.next = calls
	f.mu.Unlock()
	f.done = append(f.done, text)
	f.send(messages.Say(text), is[messages.TurnEnded])
}

func asked(name string, args map[string]any) modeltest.Call {
	return modeltest.Call{Name: name, Args: args}
}

// act does one thing with the fact. After the fact was forgotten, no action uses its name.
func (f *factLife) act() {
	name, warned := f.name(), func(event messages.Event) bool { return is[messages.Resumed](event) || warns(event) }
	switch f.random.IntN(17) {
	case 0, 1, 2:
		if f.forgotten {
			f.prompt("go on")
			return
		}
		fact := f.fact()
		about := map[string]any{"fact": strings.Replace(fact, "My ", "The user's ", 1)}
		if f.random.IntN(3) > 0 {
			f.prompt("remember that "+fact, asked("remember", about))
		} else {
			f.prompt("I was told "+f.name(), asked("remember", about)) // the model proposes the fact
		}
	case 3:
		f.prompt("say "+name, asked("say", map[string]any{"text": `he said "` + name + `"`}))
	case 4:
		f.prompt("fill with "+name, asked("fill", map[string]any{"text": name + strings.Repeat(" filling", 400)}))
	case 5:
		f.prompt("write about "+name, asked("create_file", map[string]any{"path": fmt.Sprint("f", len(f.done)), "content": "about " + name + "\n"}))
	case 6, 7:
		f.prompt("go", asked("delegate", nil))
	case 8:
		f.compact()
	case 9, 10:
		f.send(messages.Fork{}, warned)
	case 11:
		f.send(messages.Clear{}, is[messages.Cleared])
	case 12:
		f.send(messages.Rename{Title: "about " + name}, is[messages.Notice])
	case 13:
		f.send(messages.SideQuestion{Text: "what about " + name + "?"}, is[messages.TurnEnded])
	case 14:
		f.send(messages.Rewind{Prompts: 1}, func(event messages.Event) bool { return is[messages.Rewound](event) || warns(event) })
	case 15:
		sub := filepath.Join(f.dir, "sub")
		_ = os.MkdirAll(sub, 0o700)
		f.send(messages.SetDir{Path: sub}, is[messages.ModeChanged])
		f.prompt("say "+name, asked("say", map[string]any{"text": name}))
		f.compact()
		f.send(messages.SetDir{Path: f.dir}, is[messages.ModeChanged])
	case 16:
		f.again(f.id)
	}
}

func (f *factLife) compact() {
	f.send(messages.Compact{}, func(event messages.Event) bool {
		notice, is := event.(messages.Notice)
		_, ended := event.(messages.TurnEnded)
		return ended || is && strings.HasPrefix(notice.Text, "There is nothing to compact")
	})
}

// again ends the program and resumes a conversation.
func (f *factLife) again(id string) {
	f.done = append(f.done, "resumed "+id)
	f.stop(f.tree)
	f.start(id)
}

func (f *factLife) live() {
	f.form = pick(f.random, "My dog is called %s", "My dentist is Dr %s", "I live in %s", "I work at %s", "My favourite street is %s")
	f.start("")
	fact := f.fact()
	f.prompt("remember that "+fact, asked("remember", map[string]any{"fact": fact}))
	for range 2 + f.random.IntN(7) {
		f.act()
	}
	everywhere := f.random.IntN(3) > 0
	before := len(f.server.Requests())
	f.forgets(everywhere)
	f.forgotten = true
	sent := len(f.server.Requests())
	if len(f.server.Requests()) > before {
		f.lacking("requests after forgetting", sent-1)
	}
	for range 1 + f.random.IntN(4) {
		f.act()
	}
	f.again(f.id)
	f.prompt("go on")
	f.send(messages.Clear{}, is[messages.Cleared])
	f.prompt("a new conversation")
	if everywhere {
		for _, id := range f.everyone {
			f.again(id)
			f.prompt("go on")
		}
	}
	f.lacking("later requests", sent)
	f.stop(f.tree)
	f.noFile(everywhere)
	f.start("")
	fact = fmt.Sprintf(f.form, f.names[len(f.names)-1])
	f.prompt("remember that "+fact, asked("remember", map[string]any{"fact": fact}))
	f.send(messages.Clear{}, is[messages.Cleared])
	f.prompt("hello")
	if requests := f.server.Requests(); !strings.Contains(string(requests[len(requests)-1].Raw), fact) {
		f.fail("a fact that is remembered again is not sent")
	}
}

// forgets makes the user forget the fact: through the model, with /memory, or in a shell while no
// Marvin is running.
func (f *factLife) forgets(everywhere bool) {
	store := memory.Open(persistence.Open(f.home, time.Now))
	facts, err := store.All()
	found := slices.DeleteFunc(store.SetIDs(facts), func(fact memory.Fact) bool { return !secretName.MatchString(fact.Text) })
	if err != nil || len(found) == 0 {
		f.fail("%v: the fact is not there: %+v", err, facts)
	}
	if how := f.random.IntN(3); how > 0 {
		f.done = append(f.done, fmt.Sprint("forgotten, everywhere: ", everywhere))
		if how == 1 {
			f.stop(f.tree)
		}
		gone, err := store.Forget(found)
		if err == nil && everywhere {
			_, err = store.Sweep(gone.Erasing, false)
		}
		if err != nil || len(gone.Left) > 0 {
			f.fail("%v %v", err, gone.Left)
		}
		if how == 1 {
			f.start(f.id)
		}
		if f.random.IntN(3) == 0 { // a turn outside the conversation leaves the text in it
			f.send(messages.SideQuestion{Text: "is it gone?"}, is[messages.TurnEnded])
			f.prompt("go on")
		}
		return
	}
	for _, fact := range found {
		f.prompt(map[bool]string{true: "forget everywhere that ", false: "forget that "}[everywhere]+fact.Text, asked("forget", map[string]any{"fact": fact.ID, "everywhere": everywhere}))
	}
}

// lacking reports each request that contains a forgotten name.
func (f *factLife) lacking(what string, from int) {
	for i, request := range f.server.Requests()[from:] {
		if found := secretName.FindIndex(request.Raw); found != nil {
			f.fail("the %s have %s, number %d: …%s…", what, request.Raw[found[0]:found[1]], i, request.Raw[max(0, found[0]-300):min(len(request.Raw), found[1]+100)])
		}
	}
}

// noFile looks for the names in all files below Marvin's directories.
func (f *factLife) noFile(everywhere bool) {
	below := []string{memory.Open(persistence.Open(f.home, time.Now)).Dir()}
	if everywhere {
		below = []string{f.home, filepath.Join(f.dir, ".marvin"), filepath.Join(f.dir, "sub", ".marvin")}
	}
	for _, dir := range below {
		_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return nil //nolint:nilerr // the directory may not exist
			}
			data, err := os.ReadFile(path)
			if found := secretName.FindIndex(data); err != nil || found != nil {
				f.fail("%s has a name: %v …%s…", path, err, data[max(0, found[0]-200):min(len(data), found[1]+100)])
			}
			return nil
		})
	}
}
