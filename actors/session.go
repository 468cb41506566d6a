package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
)

// What a session is told from below.
type (
	// turnEnded is a router's one report: what to commit, and how it ended.
	turnEnded struct {
		turn     string
		event    messages.TurnEnded
		messages []messages.Message
		whole    bool // messages are the whole conversation, which was compacted
		tainted  string
		words    []string // of hooks, which the model does not know of yet
		frame    prompt.Frame
		offered  []providers.ToolSpec
		bound    []string // directories of which only some providers are told
		compact  bool     // a compaction was asked for and did not happen yet
		kept     bool     // the recorder writes the turn down and says turnWritten
	}
)

// session is one conversation: the only writer of its transcript and the only
// voice that emits its events. It is busy while a router is alive, and until the turn is
// written down: an end that was told is still true after a power cut.
type session struct {
	config   *Config
	pools    *pools
	recorder *actor.PID
	ntfy     *actor.PID // nil where nobody listens
	jobs     *actor.PID
	state    *sessionState

	router    *actor.PID
	ended     *turnEnded // the router's report, until it is gone
	written   bool       // what the recorder keeps of the running turn is on the disk
	buried    bool       // the router is gone, and only that is waited for
	owed      int        // answers whose usage may still come
	hurried   bool       // and is not to be waited for
	providers map[Choice]*actor.PID
	last      Choice           // whom a turn asked, or people chose, last
	reasons   map[string]error // why a child failed, by process id
	queue     []waiting
	request   *string // the id of the request that is being done, nil for what a person did
	questions         // what people are being asked
	quitting  bool
	clearing  bool         // a new conversation begins when the running turn ended
	compacts  bool         // the conversation is compacted before the next prompt
	choosing  []meant      // names of which is found out who they mean, the first one now
	planning  bool         // it is found out what can be taken back
	moving    bool         // another conversation, or branch, is being read
	beside    *aside       // the running turn, if it is one beside the conversation
	made      int          // providers so far
	taking    *undoPlanned // what is taken back, once the person agrees
	greeting  greeting     // hooks that are told
	undone    int          // how often that was asked
}

func (s *session) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		s.open(c)
		s.adopt(c)
	case messages.Op:
		s.op(c, message)
	case messages.Event:
		s.tell(message)
	case askUser:
		s.ask(c, message)
	case greeted:
		s.greeted(c, message.outcome)
	case observed:
		s.observed(message.outcome)
	case reread:
		tookUp(c, s, message)
	case undoPlanned:
		s.undoPlanned(c, message)
	case moved:
		s.moved(c, message)
	case treeRead:
		s.treeRead(message)
	case artifactsListed:
		s.artifactsListed(message)
	case titled:
		s.titled(c, message)
	case granted:
		s.undoAnswered(c, message)
	case takenBack:
		s.takenBack(c, message)
	case reversed:
		tellReversed(s, c, message)
	case relayed:
		s.relayed(c, message)
	case retract:
		s.retract(c, message.ask)
	case unanswered:
		s.unanswered(c, message)
	case turnEnded:
		if message.turn == s.state.running { // and not one of before a restart
			s.ended = &message
		}
	case turnWritten:
		s.turnWritten(c, message)
	case owing:
		s.owed++
	case corrected:
		s.corrected(c, message)
	case wantProvider:
		s.lendProvider(c, message)
	case meant:
		found(c, s, message)
	case dirChanged:
		s.setDir(c, message.path, message.chosen)
	case profileChanged:
		s.setProfile(message.name)
	case plan:
		if s.beside == nil { // the conversation does not go on with that one
			s.state.plan = message
			s.tell(messages.PlanChanged{Plan: message.is})
		}
	case trust:
		s.state.conversation.trust = message
	case jobEnded:
		s.jobEnded(c, message)
	case diagnosed, languagesRun:
		tellDiagnosed(s, message)
	case takeWords:
		s.hand(c)
	case jobRead:
		s.jobRead(message)
	case rung:
		s.rung(c, message)
	case *actor.Stopping:
		s.hushHooks(errHooksLate)
		if kept := s.state.conversation.Kept; kept != nil {
			c.Send(s.recorder, logEnded{log: kept.log})
		}
		s.closeArtifacts(c) // guard: artifacts go with a conversation that is not kept
	case *actor.Terminated:
		task.Obituary(c, message)
	case task.Gone:
		s.gone(c, message)
	case overtime:
		s.overtime(c)
	}
	s.lend(c)
}

func (s *session) open(c actor.Context) {
	s.providers = map[Choice]*actor.PID{}
	s.reasons = map[string]error{}
	s.asks = map[string]*pendingAsk{}
	if s.state.conversation.undo == nil {
		s.keepsFiles()
	}
	if s.state.conversation.artifacts == nil {
		s.keepsArtifacts()
	}
	begin := s.state.conversation
	if s.state.seq == 0 {
		s.loudly(c)
		s.tell(messages.Opened{
			Profile: begin.Profile, Provider: begin.Choice.Provider, Model: begin.Choice.Model,
			Dir: begin.Dir, Coding: begin.Policy.Coding, Approval: begin.Policy.told(), Effort: string(begin.Effort),
		})
		s.recalled(true)
		s.opens(c)
		return
	}
	// A restart: the turn that was under way is lost, the transcript is not.
	s.tell(messages.Notice{Level: messages.Problem, Text: "An internal error ended the running turn. The conversation before it is intact; the details are in the log (marvin log)."})
	if s.state.running != "" {
		s.tell(messages.TurnEnded{Outcome: messages.Failed, Text: s.state.said.String(), Usage: s.state.usage, Err: "internal error"})
		s.state.running = ""
	}
}

func (s *session) op(c actor.Context, op messages.Op) {
	switch op := op.(type) {
	case messages.Request:
		s.request = &op.ID
		s.op(c, op.Op)
		s.request = nil
	case messages.Prompt:
		op.Steer = op.Steer && op.Parts == nil && len(op.Pictures) == 0 // they belong to a turn of their own
		s.queue = append(s.queue, waiting{Prompt: op, request: s.requestID()})
		if op.Steer {
			s.steer(c)
		}
		s.next(c)
	case messages.Cancel:
		s.cancel(c, op)
	case messages.Answer:
		s.answer(c, op)
	case messages.Attend:
		s.attend(c, op.Ask)
	case messages.ListGrants:
		s.tellGrants()
	case messages.ShowContext, messages.ShowNeeds:
		s.showContext(c, op)
	case messages.ListSent:
		s.listSent(c)
	case messages.Revoke:
		s.revoke(op.Grant)
	case messages.SetDir:
		s.setDir(c, op.Path, true)
	case messages.SetMode:
		s.state.conversation.Policy.Coding = op.Coding
		if op.Coding && s.state.conversation.Dir == "" {
			s.state.conversation.Dir = s.config.Dir
		}
		if s.state.conversation.Root == "" { // they chose where Marvin was started
			s.state.conversation.Root = s.state.conversation.Dir
		}
		s.modeChanged()
	case messages.SetApproval:
		s.setApproval(c, op.Mode)
	case messages.SetModel:
		s.setModel(c, op)
	case messages.SetProfile:
		s.setProfile(op.Name)
	case messages.Compact:
		s.compact(c, op.Focus)
	case messages.Undo:
		s.undo(c, op)
	case messages.Clear:
		s.clear(c)
	case messages.Rename:
		s.rename(c, op.Title)
	case messages.Resume, messages.Fork, messages.Branch, messages.Rewind:
		s.treeOp(c, op)
	case messages.ListTree:
		s.listTree(c)
	case messages.Background:
		s.sendAway(c, op)
	case messages.ListArtifacts:
		s.listArtifacts(c)
	case messages.Label:
		s.label(c, op)
	case messages.Aside:
		s.askBeside(c, op.Text, "/btw "+op.Text, false)
	case messages.Handoff:
		text, asked := handoffPrompt(op.Focus)
		s.askBeside(c, text, asked, true)
	case messages.Quit:
		s.quit(c)
	}
}

// next starts a turn if none is running. The router is spawned the moment a prompt
// is taken: everything that a turn waits for is one of its phases.
func (s *session) next(c actor.Context) {
	if s.router != nil || s.quitting || s.moving || s.taking.reversing() || s.greeting.waits+len(s.choosing) > 0 { // guard: prompts wait for the conversation that is taken up
		return
	}
	if s.compacts {
		s.compactNow(c)
		return
	}
	if len(s.queue) == 0 {
		return
	}
	if rereads(c, s) {
		return
	}
	prompt := s.queue[0]
	if prompt.Provider != "" && prompt.picked == nil {
		pick(c, s, prompt.Provider)
		return
	}
	s.queue = s.queue[1:]
	if prompt.aside != nil {
		s.begin(messages.TurnStarted{Prompt: prompt.aside.asked, Request: prompt.request, Aside: true})
		s.spawn(c, s.besides(brief{prompt: prompt.Text, conversation: s.state.conversation}, prompt.aside))
		return
	}
	s.state.hears(prompt.Text)
	s.begin(messages.TurnStarted{Prompt: prompt.Text, Request: prompt.request, Pictures: messages.Labels(prompt.Pictures), Images: prompt.Pictures})
	begin, err := answeredBy(s, prompt)
	if err != nil {
		s.tell(messages.TurnEnded{Outcome: messages.Failed, Usage: s.state.usage, Err: err.Error()})
		s.state.running = ""
		s.next(c)
		return
	}
	news := append(s.state.untold, s.jobNews()...)
	s.state.untold = nil
	undone := s.state.undone
	s.state.undone = nil
	if prompt.Parts != nil && prompt.Parts.Ran != "" {
		undone = append(undone, prompt.Parts.Ran)
	}
	words := s.state.words
	s.state.words = nil
	s.state.heard(prompt.Parts)
	// guard: undo: the model is told
	s.spawn(c, brief{prompt: prompt.Text, pictures: prompt.Pictures, parts: prompt.Parts, conversation: begin, news: news, undone: undone, words: words})
}

// begin gives the next turn its name.
func (s *session) begin(event messages.TurnStarted) {
	s.state.turns++
	s.state.running = fmt.Sprintf("t%d", s.state.turns)
	s.state.said.Reset()
	s.allowed, s.lender = allowance{}, nil
	s.state.asker = event.Request
	s.tell(event)
}

// spawn makes the router of a turn that has begun.
func (s *session) spawn(c actor.Context, brief brief) {
	brief.turn, brief.history, brief.usage, brief.seen = s.state.running, s.state.committed, s.state.usage, s.state.seen
	brief.tainted, brief.trail, brief.frame, brief.offered = s.state.tainted, s.state.trail, s.state.frame, s.state.offered
	brief.plan, brief.tools = s.state.plan, s.config.Tools.Now()
	if !brief.conversation.Policy.Agent {
		brief.conversation.undoTurn = brief.turn
	}
	s.state.beside = messages.Usage{}
	s.last = brief.conversation.Choice
	brief.session, brief.provider = c.Self(), s.provider(c, s.last)
	router, err := c.SpawnNamed(onTheSpot(props(s.config.Log, func() actor.Actor {
		return &router{config: s.config, pools: s.pools, recorder: s.recorder, ntfy: s.ntfy, jobs: s.jobs, brief: brief}
	})), "router-"+s.state.running)
	if err != nil {
		panic(err)
	}
	s.router, s.ended, s.written, s.buried, s.hurried = router, nil, false, false, false
}

// tell passes an event on, and remembers what would be lost with a router.
func (s *session) tell(event messages.Event) {
	switch event := event.(type) {
	case messages.Text:
		s.state.said.WriteString(event.Chunk)
	case messages.UsageChanged:
		if !nothing(s.state.beside) {
			event.Usage = event.Usage.Plus(s.state.beside)
		}
		s.state.usage, s.state.context = event.Usage, event.Context
		s.state.tell(s.config.Now(), event)
		return
	default: // a router takes nothing else with it
	}
	s.state.tell(s.config.Now(), event)
}
