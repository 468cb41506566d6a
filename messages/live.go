package messages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// WindowRole determines the ops that a window is allowed to send.
type WindowRole string

// The roles of a window. Each role includes the rights of the roles before it.
const (
	RoleSee    WindowRole = "see"    // reads only
	RoleAnswer WindowRole = "answer" // answers questions
	RoleDrive  WindowRole = "drive"  // sends prompts, cancels turns and changes settings
)

// windowRoles lists the roles in ascending order.
var windowRoles = [...]WindowRole{RoleSee, RoleAnswer, RoleDrive}

// Check returns an error for an unknown role.
func (r WindowRole) Check() error {
	if !slices.Contains(windowRoles[:], r) {
		return fmt.Errorf("role %q is unknown; choose see, answer or drive", string(r))
	}
	return nil
}

// Allows returns an error if the role does not permit op.
func (r WindowRole) Allows(op Op) error {
	if request, is := op.(Request); is {
		op = request.Op
	}
	needs := RoleDrive
	switch op := op.(type) {
	case Quit, ListGrants, ShowContext, ShowNeeds, ListSent, ListTree, ListArtifacts, ListChanges:
		needs = RoleSee
	case VisitAgent:
		if !op.Stop {
			needs = RoleSee
		}
	case Answer, Attend:
		needs = RoleAnswer
	default: // ops that change the conversation
	}
	if slices.Index(windowRoles[:], r) < slices.Index(windowRoles[:], needs) {
		return fmt.Errorf("this window has the role %q, but %s requires the role %q", r, OpName(op), needs)
	}
	return nil
}

// LiveState is the state of a live conversation.
type LiveState string

// The states of a live conversation.
const (
	LiveWorking LiveState = "working" // a turn runs
	LiveWaiting LiveState = "waiting" // a question waits for the user
	LiveIdle    LiveState = "idle"    // the conversation waits for a prompt
	LiveDone    LiveState = "done"    // the last turn has ended, and no window is open
)

// Live describes an open conversation.
type Live struct {
	// ID is the id of the stored conversation. Before the conversation is stored, ID is the name of
	// the conversation's socket.
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Dir     string    `json:"dir"`
	State   LiveState `json:"state"`
	Since   time.Time `json:"since"` // when State last changed
	Cost    float64   `json:"cost"`  // US dollars
	Process int       `json:"pid"`
	Windows int       `json:"windows"` // the number of RoleDrive windows that count as watched
	Waits   []Asked   `json:"waits,omitempty"`
	Asked   time.Time `json:"asked,omitzero"` // when the oldest question in Waits was asked
	Prompts int       `json:"prompts"`
}

// Fingerprint returns a digest of everything in the question except the deadline. An [Answer] with
// this digest applies only to this question.
func (a Asked) Fingerprint() string {
	a.Deadline, a.Digest = time.Time{}, ""
	text, err := json.Marshal(a)
	if err != nil {
		panic(fmt.Sprintf("messages: a question cannot be encoded: %v", err)) // a bug
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// CheckDigest returns an error if the question has changed since the user saw it.
func (a Answer) CheckDigest(asked Asked) error {
	if a.Digest == "" || a.Digest == asked.Fingerprint() {
		return nil
	}
	return fmt.Errorf("the question %q changed since it was shown; it is now: %s. Look at it and answer it again", a.Ask, strings.TrimSpace(asked.Title))
}
