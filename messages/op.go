package messages

// Op is what a front end asks of a session.
//
//sumtype:decl
type Op interface{ op() }

// Prompt asks for an answer. With a turn already running it joins the queue.
type Prompt struct {
	Text     string `json:"text"`
	Provider string `json:"provider,omitempty"` // asked for this prompt only
}

// Cancel ends a turn politely: what was said so far is kept. An empty Turn
// means the running one.
type Cancel struct {
	Turn string `json:"turn,omitempty"`
}

// Answer replies to an [Asked] event with one of its choices.
type Answer struct {
	Ask    string `json:"ask"`
	Choice Choice `json:"choice"`
}

// SetDir makes Path (absolute, existing) the working directory of the
// conversation: the root of every file tool.
type SetDir struct {
	Path string `json:"path"`
}

// SetMode switches coding mode on or off from the next turn on.
type SetMode struct {
	Coding bool `json:"coding"`
}

// Quit closes the session after the running turn was cancelled.
type Quit struct{}

func (Prompt) op()  {}
func (Cancel) op()  {}
func (Answer) op()  {}
func (SetDir) op()  {}
func (SetMode) op() {}
func (Quit) op()    {}
