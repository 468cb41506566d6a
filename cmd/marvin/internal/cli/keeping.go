package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/actors"
	"marvin/ui/termsafe"
)

// StorageOptions are the options for stored conversations.
type StorageOptions struct {
	NoKeptModel bool             `long:"no-kept-model" description:"ignore the model you chose last in this project"`
	Continue    bool             `long:"continue" short:"c" description:"continue the last conversation here\nIf this directory has several conversations, Marvin prefers the one last used in this terminal. It works with --non-interactive too."`
	Resume      *string          `long:"resume" short:"r" value-name:"ID|WORDS" optional:"yes" optional-value:"" description:"continue a stored conversation\nGive its id, its name or words from it. If you give nothing, you choose from a list."`
	Session     ConversationName `long:"session" value-name:"NAME" description:"continue or start the conversation with this name\nIt works with --non-interactive too."`
	Fork        ConversationName `long:"fork" value-name:"ID" description:"continue a copy of a conversation"`
	NoSession   bool             `long:"no-session" description:"do not store this conversation"`

	Looking bool // the command only reads the conversation
}

// SelectsConversation reports whether an option selects the conversation. If so, even a run without
// a user is stored.
func (k StorageOptions) SelectsConversation() bool {
	return !k.NoSession && (k.Continue || k.Resume != nil || k.Session != "" || k.Fork != "")
}

// check returns an error for contradictory options or an invalid session name.
func (k StorageOptions) check() error {
	var given []string
	for name, set := range map[string]bool{"--continue": k.Continue, "--resume": k.Resume != nil, "--session": k.Session != "", "--fork": k.Fork != "", "--no-session": k.NoSession} {
		if set {
			given = append(given, name)
		}
	}
	if len(given) > 1 {
		slices.Sort(given)
		return fmt.Errorf("%s contradict each other; give one of them", strings.Join(given, " and "))
	}
	if err := CheckName(string(k.Session)); err != nil {
		return fmt.Errorf("--session: %w", err)
	}
	return nil
}

// ConversationName is the name of a conversation. An empty name, for example from an unset
// variable, is refused, because Marvin would treat it as a missing option.
type ConversationName string

// UnmarshalFlag implements [flags.Unmarshaler].
func (n *ConversationName) UnmarshalFlag(value string) error {
	if strings.TrimSpace(value) == "" {
		return errors.New("it is empty")
	}
	*n = ConversationName(value)
	return nil
}

// CheckName refuses names that are too long or contain invisible characters.
func CheckName(name string) error {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) || len(name) > 100 || termsafe.Line(name) != name {
		return errors.New("a name is one line of at most 100 bytes, without invisible characters")
	}
	return nil
}

// TakeUp applies the state of the resumed conversation.
func (o *Options) TakeUp(kept *actors.StoredSession, world World, dir string) {
	o.Left = SessionState{LeftState: kept.StoredState()}
	was := o.Left.Dir
	if was == "" && o.Left.Info.Imported == "" { // Info.Dir is where the conversation began
		was = o.Left.Info.Dir
	}
	if was == "" || o.WorkingDir != "" {
		return
	}
	if IsDir(o.Left.Root) && o.Left.Dir != "" {
		o.Left.Sandbox = o.Left.Root
	}
	if was == dir {
		return
	}
	if IsDir(was) {
		ReportConversation(world, fmt.Sprintf("The conversation continues in %s.", was))
		o.Left.Start = was
		return
	}
	o.Left.Sandbox = ""
	fmt.Fprintf(world.Stderr, "warning: the directory of this conversation, %s, no longer exists; the conversation continues in %s.\n", was, cmp.Or(dir, "no directory"))
}
