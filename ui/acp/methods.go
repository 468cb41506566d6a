package acp

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"time"

	"marvin/messages/acp"
	"marvin/messages/jsonlines"
)

// withoutModel is the ID of the login method that lets the user work without a model, with only the
// built-in assistant.
const withoutModel = "offline"

// method is a function that handles the client's request with the given ID. It either answers the
// request, at once or later, or returns an error for the caller to send.
type method func(a *Agent, id, params json.RawMessage) *acp.Fault

// methods is a map from the names of all requests to their handlers.
var methods = map[string]method{
	"initialize":                withParams((*Agent).initialize),
	"authenticate":              withParams((*Agent).authenticate),
	"session/new":               openMethod(isNew),
	"session/load":              openMethod(isLoaded),
	"session/resume":            openMethod(isResumed),
	"session/fork":              openMethod(isForked),
	"session/list":              withParams((*Agent).listSessions),
	"session/close":             withParams((*Agent).closeSession),
	"session/set_mode":          withParams((*Agent).setMode),
	"session/set_config_option": withParams((*Agent).setOption),
	"session/prompt":            withParams((*Agent).prompt),
}

// notices contains the handlers of the client's notifications.
var notices = map[string]func(*Agent, json.RawMessage){
	"session/cancel":   (*Agent).cancel,
	"$/cancel_request": (*Agent).cancelRequest,
}

// withParams returns a method that decodes the parameters of a request and passes them to handler.
func withParams[P any](handler func(*Agent, json.RawMessage, P) *acp.Fault) method {
	return func(a *Agent, id, given json.RawMessage) *acp.Fault {
		asked, wrong := acp.Params[P](given)
		if wrong != nil {
			return wrong
		}
		return handler(a, id, asked)
	}
}

// take decodes one line of input and handles the decoded message.
func (a *Agent) take(line jsonlines.Line) {
	if line.Err != nil {
		a.fail(acp.HeadID(line.Head), acp.Faultf(acp.CodeRequest, "%v", line.Err))
		return
	}
	got, wrong := acp.Decode(line.Data)
	switch {
	case wrong != nil:
		a.fail(got.ID, wrong)
	case got.Method == nil:
		a.handleAnswer(got)
	case got.Notifies():
		if act := notices[*got.Method]; act != nil {
			act(a, got.Params)
		}
	default:
		if wrong := a.request(*got.Method, got.ID, got.Params); wrong != nil {
			a.fail(got.ID, wrong)
		}
	}
}

func (a *Agent) request(name string, id, params json.RawMessage) *acp.Fault {
	act := methods[name]
	switch {
	case act == nil && notices[name] != nil:
		return acp.Faultf(acp.CodeRequest, "%s is a notification; send it without an id", name)
	case act == nil:
		return &acp.Fault{Code: acp.CodeMethod, Message: "there is no method " + strconv.Quote(name), Data: map[string]string{"method": name}}
	case a.leaving:
		return acp.Faultf(acp.CodeRequest, "Marvin is exiting")
	case !a.ready && name != "initialize":
		return acp.Faultf(acp.CodeRequest, "send initialize first")
	}
	return act(a, id, params)
}

func (a *Agent) initialize(id json.RawMessage, asked initializeParams) *acp.Fault {
	switch {
	case asked.Version == nil:
		return acp.Faultf(acp.CodeParams, "invalid params: protocolVersion is missing")
	case a.ready:
		return acp.Faultf(acp.CodeRequest, "the request \"initialize\" was already sent")
	}
	a.ready, a.client = true, asked.Client
	told := initialized{Version: acp.Version, Agent: agentInfo{Name: "marvin", Title: "Marvin", Version: a.Marvin}, Auth: a.logins()}
	told.Can.Load, told.Can.Prompt.Image, told.Can.Prompt.Embedded, told.Can.Servers.HTTP = true, true, true, true
	a.reply(id, told)
	return nil
}

func (a *Agent) logins() []authMethod {
	ways := []authMethod{{ID: withoutModel, Name: "Work without a model", Description: "The built-in assistant handles plain requests with Marvin's tools."}}
	if a.client.Auth.Terminal {
		ways = append([]authMethod{{
			Type: "terminal", ID: "login", Name: "Log in to a model provider", Args: []string{"--login"},
			Description: "Asks for a provider and its key, tests the key and stores it.",
		}}, ways...)
	}
	return ways
}

func (a *Agent) authenticate(id json.RawMessage, asked authenticateParams) *acp.Fault {
	if asked.Method != withoutModel {
		return acp.Faultf(acp.CodeParams, "Marvin has no login method %q; use %q", asked.Method, withoutModel)
	}
	a.alone = true
	a.reply(id, empty{})
	return nil
}

func (a *Agent) listSessions(id json.RawMessage, asked listParams) *acp.Fault {
	dir, cursor := "", ""
	if asked.Dir != nil {
		if dir = *asked.Dir; !filepath.IsAbs(dir) {
			return acp.Faultf(acp.CodeParams, "invalid params: cwd %q is not an absolute path", dir)
		}
	}
	if asked.Cursor != nil {
		cursor = *asked.Cursor
	}
	a.pending++
	a.runOutside(func() func() {
		page, next, err := a.Host.List(dir, cursor)
		return func() {
			a.pending--
			if err != nil {
				a.fail(id, faultOf(err))
				return
			}
			told := listed{Sessions: []listedSession{}, Next: next}
			for _, one := range page {
				told.Sessions = append(told.Sessions, listedSession{ID: one.ID, Dir: one.Dir, Title: one.Title, Updated: one.Updated.UTC().Format(time.RFC3339)})
			}
			a.reply(id, told)
		}
	})
	return nil
}

// session returns the open session with the given ID.
func (a *Agent) session(id string) (*session, *acp.Fault) {
	if open := a.sessions[id]; open != nil && open.announced {
		return open, nil
	}
	if id == "" {
		return nil, acp.Faultf(acp.CodeParams, "invalid params: sessionId is missing")
	}
	return nil, acp.Faultf(acp.CodeNotFound, "no session %q is open here; session/load opens a stored session", id)
}
