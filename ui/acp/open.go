package acp

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"marvin/messages/acp"
	"marvin/ui/command"
)

// entry is the kind of request that opened a session.
type entry uint8

const (
	isNew entry = iota
	isLoaded
	isResumed
	isForked
)

func openMethod(as entry) method {
	return withParams(func(a *Agent, id json.RawMessage, asked openParams) *acp.Fault { return a.open(id, asked, as) })
}

func (a *Agent) open(id json.RawMessage, asked openParams, as entry) *acp.Fault {
	how, wrong := a.checkOpening(asked, as)
	if wrong != nil {
		return wrong
	}
	before := a.sessions[how.Session]
	if before == nil || as == isForked {
		a.begin(id, how, as)
		return nil
	}
	if len(before.prompts) > 0 || !before.announced {
		return acp.Faultf(acp.CodeRequest, "the session %q is running a prompt; cancel that first", how.Session)
	}
	before.then = append(before.then, func() { a.begin(id, how, as) })
	before.quit()
	return nil
}

// checkOpening checks the parameters of a request that opens a session.
func (a *Agent) checkOpening(asked openParams, as entry) (how OpenRequest, wrong *acp.Fault) {
	switch {
	case asked.Dir == nil:
		return how, acp.Faultf(acp.CodeParams, "invalid params: cwd is missing")
	case !filepath.IsAbs(*asked.Dir):
		return how, acp.Faultf(acp.CodeParams, "invalid params: cwd %q is not an absolute path", *asked.Dir)
	case as != isNew && asked.Session == "":
		return how, acp.Faultf(acp.CodeParams, "invalid params: sessionId is missing")
	case (as == isNew || as == isLoaded) && asked.Servers == nil:
		return how, acp.Faultf(acp.CodeParams, "invalid params: mcpServers is missing; it can be an empty list")
	}
	how = OpenRequest{Copy: as == isForked, Dir: *asked.Dir, More: asked.More, AllowBuiltIn: a.alone || !a.client.Auth.Terminal}
	if as != isNew {
		how.Session = asked.Session
	}
	for _, more := range asked.More {
		if !filepath.IsAbs(more) {
			return how, acp.Faultf(acp.CodeParams, "invalid params: the additional directory %q is not an absolute path", more)
		}
	}
	for _, one := range asked.Servers {
		server, err := one.server()
		if err != nil {
			return how, acp.Faultf(acp.CodeParams, "invalid params: %v", err)
		}
		how.Servers = append(how.Servers, server)
	}
	return how, nil
}

func (g serverGiven) server() (Server, error) {
	named := func(texts []namedText) map[string]string {
		if len(texts) == 0 {
			return nil
		}
		all := map[string]string{}
		for _, text := range texts {
			all[text.Name] = text.Value
		}
		return all
	}
	switch {
	case g.Name == "":
		return Server{}, fmt.Errorf("an MCP server has no name")
	case g.Type == "http" && g.URL != "":
		return Server{Name: g.Name, URL: g.URL, Headers: named(g.Headers)}, nil
	case (g.Type == "" || g.Type == "stdio") && g.Command != "":
		return Server{Name: g.Name, Command: append([]string{g.Command}, g.Args...), Env: named(g.Env)}, nil
	case g.Type == "http" || g.Type == "" || g.Type == "stdio":
		return Server{}, fmt.Errorf("the MCP server %q has neither a command nor a url", g.Name)
	}
	return Server{}, fmt.Errorf("the MCP server %q is of type %q; Marvin supports only stdio and http", g.Name, g.Type)
}

// begin opens a session in the background.
func (a *Agent) begin(id json.RawMessage, how OpenRequest, as entry) {
	a.pending++
	a.runOutside(func() func() {
		conversation, err := a.Host.Open(a.ctx, how)
		return func() {
			a.pending--
			if err != nil {
				a.fail(id, faultOf(err))
				return
			}
			a.join(id, conversation, as)
		}
	})
}

// join adds an open session and follows its events.
func (a *Agent) join(id json.RawMessage, conversation Conversation, as entry) {
	one := &session{
		agent: a, id: conversation.ID, conversation: conversation, waiting: id, as: as,
		calls: map[string]*call{}, gone: make(chan struct{}),
	}
	one.engine = conversation.Engine(front{session: one})
	one.engine.Talk = &one.talk
	a.sessions[one.id] = one
	batches := a.work.Follow(a.ctx, conversation.Client)
	a.work.Start(func() {
		for batch := range batches {
			select {
			case a.heard <- eventBatch{from: one, batch: batch}:
			case <-a.ended:
				return
			}
		}
		select {
		case a.heard <- eventBatch{from: one, ended: true}:
		case <-a.ended:
		}
	}, func() {})
	one.followTitles()
	if a.leaving {
		one.quit()
	}
}

// followTitles sends each new title of the session to the client.
func (s *session) followTitles() {
	if s.conversation.Titles == nil {
		return
	}
	s.agent.runOutside(func() func() {
		select {
		case title := <-s.conversation.Titles:
			return func() {
				s.update(infoUpdate{Kind: "session_info_update", Title: title})
				s.followTitles()
			}
		case <-s.gone:
		case <-s.agent.ended:
		}
		return nil
	})
}

func (a *Agent) closeSession(id json.RawMessage, asked acp.SessionParams) *acp.Fault {
	session, wrong := a.session(asked.Session)
	if wrong != nil {
		return wrong
	}
	session.cancel()
	session.then = append(session.then, func() { a.reply(id, empty{}) })
	session.quit()
	return nil
}

// quit asks the session to end. The agent calls s.cleanUp after the session's last event.
func (s *session) quit() {
	if !s.quitting {
		s.quitting = true
		s.engine.Cancel()
		s.conversation.Client.Send(quitOp)
	}
}

// cleanUp removes an ended session. It answers the session's pending prompts and closes the
// conversation.
func (s *session) cleanUp() {
	agent := s.agent
	close(s.gone)
	for _, open := range slices.Collect(maps.Values(agent.asked)) {
		if open.session == s {
			open.close()
		}
	}
	for _, prompt := range s.prompts {
		agent.reply(prompt.id, acp.PromptEnded{Stop: stopCancelled})
	}
	s.prompts = nil
	for _, one := range s.changes {
		agent.fail(one.id, acp.Faultf(acp.CodeInternal, "the session ended before the change took effect"))
	}
	s.changes = nil
	if !s.announced {
		agent.fail(s.waiting, acp.Faultf(acp.CodeInternal, "the session ended while it was starting"))
	}
	delete(agent.sessions, s.id)
	agent.closing++
	agent.runOutside(func() func() {
		_ = s.conversation.Close() // the log has the details
		return func() {
			agent.closing--
			for _, then := range s.then {
				then()
			}
		}
	})
}

// front implements [command.Front] for a session.
type front struct {
	command.NoScreen
	session *session
}

var _ command.Front = front{}
