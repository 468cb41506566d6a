package acp

// Protocol types that both agents and clients use.
type (
	// SessionParams identifies a session.
	SessionParams struct {
		Session string `json:"sessionId"`
	}
	// PromptParams is a prompt to a session.
	PromptParams struct {
		Session string  `json:"sessionId"`
		Prompt  []Block `json:"prompt"`
	}
	// Block is a content block of any type.
	Block struct {
		Type     string    `json:"type"`
		Text     *string   `json:"text,omitempty"`
		Data     string    `json:"data,omitempty"`
		MimeType string    `json:"mimeType,omitempty"`
		URI      string    `json:"uri,omitempty"`
		Name     string    `json:"name,omitempty"`
		Resource *Resource `json:"resource,omitempty"`
	}
	// Resource holds the content at URI, either as Text or as base64 data in Blob.
	Resource struct {
		URI      string  `json:"uri"`
		MimeType string  `json:"mimeType"`
		Text     *string `json:"text"`
		Blob     *string `json:"blob"`
	}
	// PromptEnded is the response to [PromptParams].
	PromptEnded struct {
		Stop string `json:"stopReason"`
	}
	// CallUpdate reports the progress of a tool call.
	CallUpdate struct {
		Kind      string        `json:"sessionUpdate,omitempty"`
		ID        string        `json:"toolCallId"`
		Title     string        `json:"title,omitempty"`
		Name      string        `json:"name,omitempty"`
		What      string        `json:"kind,omitempty"`
		Status    string        `json:"status,omitempty"`
		Content   []CallContent `json:"content,omitempty"`
		Locations []Location    `json:"locations,omitempty"`
		Input     any           `json:"rawInput,omitempty"`
	}
	// CallContent is a block or a diff that a call shows.
	CallContent struct {
		Type    string  `json:"type"` // content or diff
		Content *Block  `json:"content,omitempty"`
		Path    string  `json:"path,omitempty"`
		OldText *string `json:"oldText,omitempty"`
		NewText *string `json:"newText,omitempty"`
	}
	// Location is a place in a file.
	Location struct {
		Path string `json:"path"`
		Line int    `json:"line,omitempty"`
	}
	// PlanEntry is a step of a plan.
	PlanEntry struct {
		Content  string `json:"content"`
		Priority string `json:"priority"`
		Status   string `json:"status"`
	}
	// Cost is the cost of a session so far.
	Cost struct {
		Amount   float64 `json:"amount"`
		Currency string  `json:"currency"`
	}
	// PermissionParams describes a question to the user about a call.
	PermissionParams struct {
		Session string             `json:"sessionId"`
		Call    CallUpdate         `json:"toolCall"`
		Options []PermissionOption `json:"options"`
	}
	// PermissionOption is one of the answers offered to the user.
	PermissionOption struct {
		ID   string `json:"optionId"`
		Name string `json:"name"`
		Kind string `json:"kind"`
	}
	// PermissionAnswer is the answer that the user gave.
	PermissionAnswer struct {
		Outcome struct {
			Outcome string `json:"outcome"`
			Option  string `json:"optionId"`
		} `json:"outcome"`
	}
)
