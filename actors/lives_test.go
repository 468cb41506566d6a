package actors_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers/modeltest"
	"marvin/tools/files"
	"marvin/tools/plan"
)

// Random lives of a conversation: prompts, tools, compactions, mode and model changes, copies,
// branches and undo. It ends by quitting or by kill -9 (a copy of the directory at any moment), and
// is resumed at the start or by /resume. The session, the view and the next request must be the
// same as before. make lives runs 2,000; LIVES_SEED=7 selects others.
func TestAConversationSurvivesEachWayOfLeavingIt(t *testing.T) {
	count, seed := 60, uint64(1)
	if testing.Short() {
		count = 30
	}
	if text := os.Getenv("LIVES"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	if text := os.Getenv("LIVES_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	var compacted [2]atomic.Int64 // between turns, and within one
	t.Cleanup(func() {
		if between, within := compacted[0].Load(), compacted[1].Load(); count >= 30 && within == 0 || count >= 60 && between == 0 {
			t.Errorf("%d compactions between turns, and %d within one", between, within)
		}
	})
	for n := range count {
		t.Run(fmt.Sprint("life ", n), func(t *testing.T) {
			t.Parallel()
			l := &life{t: t, random: rand.New(rand.NewPCG(seed, uint64(n)))}
			l.dir, l.home = l.temp(), l.temp()
			l.server = modeltest.StartFunc(t, l.answer)
			l.live()
			compacted[0].Add(l.compacted[0])
			compacted[1].Add(l.compacted[1])
		})
	}
}

type life struct {
	t         *testing.T
	random    *rand.Rand
	server    *modeltest.Server
	home, dir string
	tree      *actorstest.Tree
	id        string
	known     []string // the existing conversations
	done      []string // for the message of a failure
	prompts   int
	compacted [2]int64
}

// temp makes a directory for the life. A compaction that was cut off may still write its backup
// there while the directory is removed.
func (l *life) temp() string {
	dir, err := os.MkdirTemp("", "marvin-life-")
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() {
		const tries = 1000
		for range tries {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
		}
		l.t.Error(err)
	})
	return dir
}

// stands is the state that a front end knows.
type stands struct {
	dir, profile, provider, model, effort, plan string
	coding                                      bool
	approval                                    messages.Approval
	cost                                        string
}

type turnSeen struct {
	prompt, text string
	outcome      messages.Outcome
}

// folded is the view of a front end.
type folded struct {
	now    stands
	turns  []turnSeen
	asked  string   // the prompt of the running turn; "" for none
	during []stands // the states since the last turn began
}

func fold(seen []messages.Envelope) (f folded) {
	for _, envelope := range seen {
		switch event := envelope.Event.(type) {
		case messages.Opened:
			f.now = stands{dir: event.Dir, profile: event.Profile, provider: event.Provider, model: event.Model, effort: event.Effort, coding: event.Coding, approval: event.Approval}
		case messages.ModeChanged:
			f.now.dir, f.now.coding, f.now.profile, f.now.approval = event.Dir, event.Coding, event.Profile, event.Approval
		case messages.ModelChanged:
			f.now.provider, f.now.model = event.Provider, event.Model
		case messages.EffortChanged:
			f.now.effort = event.Effort
		case messages.PlanChanged:
			text, _ := json.Marshal(event.Plan)
			f.now.plan = string(text)
		case messages.UsageChanged:
			f.now.cost = fmt.Sprintf("%.9f", event.Usage.Cost)
		case messages.Cleared:
			f.turns, f.now.plan = nil, ""
		case messages.TurnStarted:
			f.asked, f.during = event.Prompt, nil
		case messages.TurnEnded:
			if !strings.HasPrefix(f.asked, "/compact") { // later views do not show it as a turn
				f.turns = append(f.turns, turnSeen{f.asked, strings.ReplaceAll(event.Text, "\n", ""), event.Outcome})
			}
			f.asked = ""
		case messages.Recalled:
			text := ""
			for _, step := range event.Steps {
				if step.Tool == "" && !step.Said {
					text += strings.ReplaceAll(step.Text, "\n", "")
				}
			}
			f.turns = append(f.turns, turnSeen{event.Prompt, text, event.Outcome})
		}
		f.during = append(f.during, f.now)
	}
	return f
}

// answer is the model's answer.
func (l *life) answer(request modeltest.Request) modeltest.Step {
	text := request.Last().Text
	switch {
	case strings.Contains(text, "of the history") && len(request.Tools) == 0:
		return modeltest.Text("They talked.")
	case strings.Contains(text, "The work continues in a new conversation"):
		return modeltest.Text("All is handed over.")
	}
	results := resultsIn(request)
	if asked := prompted(request); strings.Contains(asked, "filling") && len(results) < 3 { // the disk is full midway
		var calls []promptedCall
		_ = json.Unmarshal([]byte(asked[strings.LastIndex("\n\n"+asked, "\n\n"):]), &calls)
		return stepOf(calls)
	}
	if len(results) > 0 {
		return modeltest.Text("It is", " done, after ", fmt.Sprint(len(results)), " calls.")
	}
	if step := callsAsPrompted(request); strings.HasPrefix(prompted(request), "[") {
		return step
	}
	return modeltest.Text("You say: ", prompted(request), strings.Repeat(" and more", 700))
}

func (l *life) begin(take string, keep func(*persistence.Home) *actors.StoredSession, begin func(*actors.Conversation)) {
	l.done = append(l.done, take)
	l.tree = actorstest.Start(l.t, actorstest.Setup{
		Server: l.server, Home: l.home, Dir: l.dir, Policy: &actors.Policy{Coding: true, Person: true}, Keep: keep, Begin: begin,
		Tools:   append(append(files.Tools(), plan.Tools()...), say(), filler(3000)),
		Context: actors.ContextLimits{Warn: 9_000, Compact: 10_000, Refuse: 40_000},
	})
	l.settle()
}

// await reads until an event, and answers questions with yes.
func (l *life) await(last func(messages.Event) bool) {
	l.tree.ReadUntilMatch(func(event messages.Event) bool {
		if asked, is := event.(messages.Asked); is {
			l.tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
		}
		return last(event)
	})
}

func is[E messages.Event](event messages.Event) bool { _, is := event.(E); return is }

func warns(event messages.Event) bool {
	notice, is := event.(messages.Notice)
	return is && notice.Level == messages.Warning
}

// settle waits until everything is written, and returns the current conversation.
func (l *life) settle() {
	l.tree.Client.Send(messages.ListTree{})
	l.await(func(event messages.Event) bool { return is[messages.Tree](event) || warns(event) })
	within := 1
	for _, envelope := range l.tree.Seen {
		switch event := envelope.Event.(type) {
		case messages.Resumed:
			l.id = event.ID
		case messages.Cleared:
			l.id = ""
		case messages.TurnStarted:
			if within = 1; strings.HasPrefix(event.Prompt, "/compact") {
				within = 0
			}
		case messages.Compacted:
			l.compacted[within]++
		}
	}
	list, err := sessions.New(persistence.Open(l.home, time.Now)).List()
	if err != nil {
		l.fail("%v", err)
	}
	for _, info := range list {
		if !slices.Contains(l.known, info.ID) && info.Forked == nil && l.id == "" {
			l.id = info.ID
		}
		l.known = append(l.known, info.ID)
	}
}

func (l *life) fail(form string, values ...any) {
	l.t.Helper()
	l.t.Fatalf("%s\nafter %s", fmt.Sprintf(form, values...), strings.Join(l.done, "; "))
}

func (l *life) prompt() string {
	l.prompts++
	call := func(name string, args any) string {
		encoded, _ := json.Marshal([]map[string]any{{"Name": name, "Args": args}})
		return string(encoded)
	}
	switch l.random.IntN(6) {
	case 0:
		return call("create_file", map[string]string{"path": fmt.Sprintf("f%d.txt", l.prompts), "content": "one\n"})
	case 1, 2:
		return call("fill", map[string]string{"text": fmt.Sprint(l.prompts, strings.Repeat(" filling", 1200))})
	case 3:
		return call("update_plan", map[string]any{"steps": []map[string]string{{"step": fmt.Sprint("step ", l.prompts), "status": "pending"}}})
	case 4:
		return call("say", map[string]string{"text": fmt.Sprint("words ", l.prompts)})
	}
	return fmt.Sprint("question ", l.prompts)
}

func pick[T any](random *rand.Rand, of ...T) T { return of[random.IntN(len(of))] }

// act does one thing and waits for its end.
func (l *life) act() {
	ended := is[messages.TurnEnded]
	send := func(op messages.Op, last func(messages.Event) bool) {
		name, _ := json.Marshal(op)
		l.done = append(l.done, fmt.Sprintf("%T %.60s", op, name))
		l.tree.Client.Send(op)
		l.await(last)
	}
	switch n := l.random.IntN(26); n {
	default:
		send(messages.Say(l.prompt()), ended)
	case 0, 1:
		send(messages.Compact{}, func(event messages.Event) bool {
			notice, is := event.(messages.Notice)
			return ended(event) || is && strings.HasPrefix(notice.Text, "There is nothing to compact")
		})
	case 2, 3:
		send(messages.SetApproval{Mode: pick(l.random, messages.ApprovePlan, messages.ApproveAsk, messages.ApproveEdits, messages.ApproveAuto)}, is[messages.ModeChanged])
	case 4:
		send(messages.SetMode{Coding: l.random.IntN(3) > 0}, is[messages.ModeChanged])
	case 5:
		send(messages.SetModel{Provider: "openai-compat", Model: pick(l.random, "test-model", "other-model")}, is[messages.ModelChanged])
	case 6:
		send(messages.SetModel{Effort: pick(l.random, "auto", "low", "high")}, is[messages.EffortChanged])
	case 7:
		sub := filepath.Join(l.dir, "sub")
		_ = os.MkdirAll(sub, 0o700)
		send(messages.SetDir{Path: pick(l.random, sub, l.dir)}, is[messages.ModeChanged])
	case 8, 9:
		send(messages.Fork{}, func(event messages.Event) bool { return is[messages.Resumed](event) || warns(event) })
	case 10, 11:
		send(messages.Rewind{Prompts: 1 + l.random.IntN(2)}, func(event messages.Event) bool { return is[messages.Rewound](event) || warns(event) })
	case 12:
		send(messages.Handoff{}, func(event messages.Event) bool { return is[messages.Resumed](event) || warns(event) })
	case 13, 14:
		send(messages.Undo{}, is[messages.Notice])
	case 15:
		send(messages.Clear{}, is[messages.Cleared])
	case 16:
		send(messages.SideQuestion{Text: "beside?"}, ended)
	case 17:
		send(messages.Rename{Title: fmt.Sprint("title ", l.prompts)}, is[messages.Notice])
	}
	l.settle()
}

func (l *life) live() {
	l.begin("begun", begins, nil)
	for range 2 + l.random.IntN(2) {
		for range 1 + l.random.IntN(5) {
			l.act()
		}
		if l.id == "" { // the conversation is empty
			continue
		}
		switch l.random.IntN(5) {
		case 0:
			l.killedInATurn()
		case 1:
			l.killed()
		default:
			l.quit()
		}
	}
}

// copied copies the directory as kill -9 would leave it now.
func (l *life) copied() string {
	for {
		home := l.temp()
		err := os.CopyFS(home, os.DirFS(l.home))
		if err == nil {
			return home
		}
		if !errors.Is(err, fs.ErrNotExist) { // a file that is being replaced
			l.fail("%v", err)
		}
	}
}

// takeUp resumes the conversation of a home directory.
func (l *life) takeUp(home, model string) {
	l.home = home
	id := l.id
	if l.random.IntN(3) == 0 {
		l.begin("taken up by /resume", begins, nil)
		l.tree.Client.Send(messages.Resume{ID: id})
		l.await(is[messages.Resumed])
		if fold(l.tree.Seen).now.model != model { // the model is resolved in a task
			l.await(is[messages.ModelChanged])
		}
		l.settle()
		return
	}
	var left actors.LeftState
	l.begin("taken up", func(home *persistence.Home) *actors.StoredSession {
		kept, err := actors.Resume(home, id, "")
		if err != nil {
			l.fail("%v", err)
		}
		left = kept.StoredState()
		return kept
	}, func(begin *actors.Conversation) {
		begin.Restore(left)
		begin.Choice, begin.Dir, begin.Root = left.Choice, left.Dir, left.Root
	})
}

func (l *life) stop(tree *actorstest.Tree) {
	if err := tree.System.Stop(); err != nil {
		l.fail("%v", err)
	}
}

// quit quits and resumes: a front end must see the same as before.
func (l *life) quit() {
	before := fold(l.tree.Seen)
	l.stop(l.tree)
	l.takeUp(l.home, before.now.model)
	l.same(before, fold(l.tree.Seen))
}

// killed compares the request of an undisturbed session with the one after a kill -9.
func (l *life) killed() {
	home, alive := l.copied(), l.tree
	before := fold(alive.Seen)
	l.takeUp(home, before.now.model)
	l.same(before, fold(l.tree.Seen))
	roomMade := false // each process learns the window anew
	asks := func(tree *actorstest.Tree) string {
		seen := len(tree.Seen)
		tree.Client.Send(messages.Say("and now?"))
		mine := l.tree
		l.tree = tree
		l.await(is[messages.TurnEnded])
		l.settle()
		l.tree = mine
		for _, envelope := range tree.Seen[seen:] {
			notice, _ := envelope.Event.(messages.Notice)
			roomMade = roomMade || is[messages.Compacted](envelope.Event) || strings.HasPrefix(notice.Text, "To make room")
		}
		requests := l.server.Requests()
		raw := requests[len(requests)-1].Raw
		return string(messagesOf(l.t, raw)) + "\n" + toolsOf(l.t, raw)
	}
	if was, is := asks(alive), asks(l.tree); was != is && !roomMade {
		at := max(common([]byte(was), []byte(is))-300, 0)
		l.fail("the model is sent\n%.1500s\nand was sent\n%.1500s", is[at:], was[at:])
	}
	l.stop(alive)
}

// killedInATurn ends during a turn. Everything before it must be unchanged; the turn has no end.
func (l *life) killedInATurn() {
	before := fold(l.tree.Seen)
	alive, text := l.tree, l.prompt()
	l.done = append(l.done, "killed in "+text)
	alive.Client.Send(messages.Say(text))
	alive.ReadEvents(1 + l.random.IntN(4))
	home := l.copied()
	during := fold(alive.Seen)
	l.takeUp(home, before.now.model)
	now := fold(l.tree.Seen)
	if !slices.ContainsFunc(append(during.during, before.now), func(told stands) bool { told.cost, told.plan = now.now.cost, now.now.plan; return told == now.now }) {
		l.fail("it is now\n%+v\nand was\n%+v", now.now, during.now)
	}
	if len(now.turns) > len(before.turns) {
		last := now.turns[len(now.turns)-1]
		if now.turns = now.turns[:len(now.turns)-1]; last.prompt != text || last.outcome == messages.Failed && !strings.HasSuffix(last.text, "]") {
			l.fail("the turn without an end is %+v", last)
		}
	}
	if !slices.Equal(now.turns, before.turns) {
		l.fail("people see\n%+v\nand saw\n%+v", now.turns, before.turns)
	}
	l.stop(alive)
}

func (l *life) same(before, after folded) {
	l.t.Helper()
	if after.now != before.now {
		l.fail("it is now\n%+v\nand was\n%+v", after.now, before.now)
	}
	if !slices.Equal(after.turns, before.turns) {
		l.fail("people see\n%+v\nand saw\n%+v", after.turns, before.turns)
	}
}
