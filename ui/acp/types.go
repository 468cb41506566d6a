package acp

import (
	"encoding/json"

	"marvin/messages/acp"
)

// The types in this file contain only the protocol fields that Marvin uses. Other fields in the
// input are ignored.

// empty is an object without fields.
type empty struct{}

type (
	clientCapabilities struct {
		Session struct {
			Options struct {
				Boolean *empty `json:"boolean"`
			} `json:"configOptions"`
			Notices *empty `json:"notices"`
		} `json:"session"`
		Auth struct {
			Terminal bool `json:"terminal"`
		} `json:"auth"`
		Elicitation struct {
			Form *empty `json:"form"`
		} `json:"elicitation"`
	}
	initializeParams struct {
		Version *int               `json:"protocolVersion"`
		Client  clientCapabilities `json:"clientCapabilities"`
	}
	initialized struct {
		Version int          `json:"protocolVersion"`
		Agent   agentInfo    `json:"agentInfo"`
		Can     capabilities `json:"agentCapabilities"`
		Auth    []authMethod `json:"authMethods"`
	}
	agentInfo struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version string `json:"version"`
	}
	capabilities struct {
		Load   bool `json:"loadSession"`
		Prompt struct {
			Image    bool `json:"image"`
			Audio    bool `json:"audio"`
			Embedded bool `json:"embeddedContext"`
		} `json:"promptCapabilities"`
		Servers struct {
			HTTP bool `json:"http"`
			SSE  bool `json:"sse"`
		} `json:"mcpCapabilities"`
		Session struct {
			List        empty `json:"list"`
			Resume      empty `json:"resume"`
			Close       empty `json:"close"`
			Fork        empty `json:"fork"`
			Directories empty `json:"additionalDirectories"`
		} `json:"sessionCapabilities"`
	}
	authMethod struct {
		Type        string   `json:"type,omitempty"`
		ID          string   `json:"id"`
		Name        string   `json:"name"`
		Description string   `json:"description,omitempty"`
		Args        []string `json:"args,omitempty"`
	}
	authenticateParams struct {
		Method string `json:"methodId"`
	}
)

type (
	openParams struct {
		Session string        `json:"sessionId"`
		Dir     *string       `json:"cwd"`
		More    []string      `json:"additionalDirectories"`
		Servers []serverGiven `json:"mcpServers"`
	}
	serverGiven struct {
		Type    string      `json:"type"`
		Name    string      `json:"name"`
		Command string      `json:"command"`
		Args    []string    `json:"args"`
		Env     []namedText `json:"env"`
		URL     string      `json:"url"`
		Headers []namedText `json:"headers"`
	}
	namedText struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	opened struct {
		Session string         `json:"sessionId,omitempty"`
		Modes   modeState      `json:"modes"`
		Options []configOption `json:"configOptions"`
	}
	listParams struct {
		Dir    *string `json:"cwd"`
		Cursor *string `json:"cursor"`
	}
	listed struct {
		Sessions []listedSession `json:"sessions"`
		Next     string          `json:"nextCursor,omitempty"`
	}
	listedSession struct {
		ID      string `json:"sessionId"`
		Dir     string `json:"cwd"`
		Title   string `json:"title,omitempty"`
		Updated string `json:"updatedAt,omitempty"`
	}
	modeParams struct {
		Session string `json:"sessionId"`
		Mode    string `json:"modeId"`
	}
	optionParams struct {
		Session string          `json:"sessionId"`
		Option  string          `json:"configId"`
		Value   json.RawMessage `json:"value"`
	}
	optionsTold struct {
		Options []configOption `json:"configOptions"`
	}
)

type (
	modeState struct {
		Current string `json:"currentModeId"`
		All     []mode `json:"availableModes"`
	}
	mode struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
	}
	configOption struct {
		ID          string         `json:"id"`
		Name        string         `json:"name"`
		Description string         `json:"description,omitempty"`
		Category    string         `json:"category,omitempty"`
		Type        string         `json:"type"`
		Current     any            `json:"currentValue"` // a string, or a bool for a boolean option
		Options     []configChoice `json:"options,omitempty"`
	}
	configChoice struct {
		Value       string `json:"value"`
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
	}
)

type (
	updateParams struct {
		Session string `json:"sessionId"`
		Update  any    `json:"update"`
	}
)

// These types represent session updates.
type (
	chunkUpdate struct {
		Kind    string    `json:"sessionUpdate"`
		Content acp.Block `json:"content"`
	}
	planUpdate struct {
		Kind    string          `json:"sessionUpdate"`
		Entries []acp.PlanEntry `json:"entries"`
	}
	commandsUpdate struct {
		Kind     string             `json:"sessionUpdate"`
		Commands []availableCommand `json:"availableCommands"`
	}
	availableCommand struct {
		Name        string        `json:"name"`
		Description string        `json:"description"`
		Input       *commandInput `json:"input,omitempty"`
	}
	commandInput struct {
		Hint string `json:"hint"`
	}
	modeUpdate struct {
		Kind string `json:"sessionUpdate"`
		Mode string `json:"currentModeId"`
	}
	optionsUpdate struct {
		Kind    string         `json:"sessionUpdate"`
		Options []configOption `json:"configOptions"`
	}
	infoUpdate struct {
		Kind    string `json:"sessionUpdate"`
		Title   string `json:"title,omitempty"`
		Updated string `json:"updatedAt,omitempty"`
	}
	usageUpdate struct {
		Kind string    `json:"sessionUpdate"`
		Used int       `json:"used"`
		Size int       `json:"size"`
		Cost *acp.Cost `json:"cost,omitempty"`
	}
	noticeUpdate struct {
		Kind     string `json:"sessionUpdate"`
		Severity string `json:"severity"`
		Title    string `json:"title"`
	}
)

// Requests to the client and their answers.
type (
	elicitParams struct {
		Session string     `json:"sessionId"`
		Call    string     `json:"toolCallId,omitempty"`
		Mode    string     `json:"mode"`
		Message string     `json:"message"`
		Schema  formSchema `json:"requestedSchema"`
	}
	formSchema struct {
		Type       string               `json:"type"`
		Properties map[string]formField `json:"properties"`
		Required   []string             `json:"required,omitempty"`
	}
	formField struct {
		Type        string       `json:"type"`
		Title       string       `json:"title,omitempty"`
		Description string       `json:"description,omitempty"`
		Default     any          `json:"default,omitempty"`
		OneOf       []formOption `json:"oneOf,omitempty"`
		Items       *formItems   `json:"items,omitempty"`
	}
	formItems struct {
		AnyOf []formOption `json:"anyOf"`
	}
	formOption struct {
		Value       string `json:"const"`
		Title       string `json:"title"`
		Description string `json:"description,omitempty"`
	}
	elicitAnswer struct {
		Action  string         `json:"action"`
		Content map[string]any `json:"content"`
	}
	cancelRequest struct {
		ID json.RawMessage `json:"requestId"`
	}
	cancelOurs struct {
		ID int64 `json:"requestId"`
	}
)
