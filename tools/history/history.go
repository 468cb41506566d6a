package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/tools"
)

// Service shortens the chat log, and searches the backups of the log and of conversations.
type Service struct{ home *persistence.Home }

// New returns a Service for the chat logs of the profiles in home.
func New(home *persistence.Home) Service { return Service{home: home} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.compactTool(), s.searchTool()} }

type compactArgs struct {
	Target int `json:"target_tokens" doc:"Maximum size of the log, in tokens" default:"50000" min:"1000" max:"1000000" alias:"target,tokens"`
}

func (s Service) compactTool() tools.Tool {
	return tools.New(tools.Def[compactArgs]{
		Name:   "compact_history",
		Effect: tools.Writes,
		Doc: "Shorten the chat log of the active profile: keep the newest 20 entries, shorten older entries and delete the oldest. " +
			"Makes a backup first; search_history_backups can search it. Also summarizes the running conversation.",
		Examples: []string{"compact my history", "compact the chat log", "shorten my chat history"},
		Timeout:  2 * time.Minute,
		Needs:    tools.Needs{TopOnly: true},
		Run:      s.compact,
	})
}

func (s Service) compact(_ context.Context, env tools.Env, in compactArgs) (tools.Output, error) {
	if env.Compact != nil {
		env.Compact()
	}
	done, err := chat.New(s.home.Profile(env.ProfileName())).Compact(in.Target, tools.EstimateTokens)
	damaged := (*persistence.DamagedError)(nil)
	switch {
	case errors.As(err, &damaged):
		return tools.Output{}, tools.Advise(err, "Nothing was changed. The next entry begins a new log, and Marvin keeps the damaged log in the same directory. After that, compact the new log.")
	case err != nil:
		return tools.Output{}, fmt.Errorf("compact the chat log: %w", err)
	case done.Entries == 0:
		return tools.Output{Text: "The chat log is empty."}, nil
	case done.Backup == "" && done.NewestTooMuch:
		return tools.Output{Text: fmt.Sprintf("The chat log has only %d entries (about %d tokens), and Marvin never shortens the newest 20.", done.Entries, done.Before)}, nil
	case done.Backup == "":
		return tools.Output{Text: fmt.Sprintf("The chat log is already within budget: %d entries, about %d of %d tokens.", done.Entries, done.Before, in.Target)}, nil
	}
	text := fmt.Sprintf("Compacted the chat log: %d entries, about %d tokens → %d entries, about %d tokens.\nBackup: %s",
		done.Entries, done.Before, done.Kept, done.After, done.Backup)
	if done.NewestTooMuch {
		text += "\nIt is still above the target, because Marvin never shortens the newest 20 entries."
	}
	return tools.Output{Text: text}, nil
}

type searchArgs struct {
	Query string `json:"query" doc:"Words to find in a message" alias:"q,text" example:"pizza"`
	Max   int    `json:"max_results" doc:"Maximum results" default:"20" min:"1" max:"50" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "search_history_backups", Brings: tools.Private,
		Doc: "Search backups of earlier conversations for words, newest first. Use it for messages that are no longer in the history.",
		Examples: []string{
			"search my history backups for {pizza|query}", "search the old conversations for {pizza|query}",
			"what did we say about {pizza|query} earlier",
		},
		Run: s.search,
	})
}

func (s Service) search(ctx context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
	words := strings.Fields(fold(in.Query))
	if len(words) == 0 {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give a word from the message.")
	}
	hits, cut, err := chat.SearchBackups(s.home.Profile(env.ProfileName()), env.Dir, in.Max, func(text string) bool {
		text = fold(text)
		return ctx.Err() == nil && !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	})
	if ctx.Err() != nil {
		return tools.Output{}, context.Cause(ctx)
	}
	if err != nil && len(hits) == 0 {
		return tools.Output{}, fmt.Errorf("search the backups: %w", err)
	}
	var lines []string
	for _, hit := range hits {
		when := hit.Saved.In(env.Now().Location()).Format("2006-01-02 15:04")
		if hit.Time != "" {
			when += " " + hit.Time
		}
		lines = append(lines, fmt.Sprintf("[%s] %s: %s", when, hit.Role, snippet(hit.Text, fold(in.Query), words[0])))
	}
	if len(lines) == 0 {
		lines = append(lines, fmt.Sprintf("No backup contains %q. Marvin makes a backup when it compacts a log or a conversation.", in.Query))
	}
	if cut {
		lines = append(lines, "Note: only the newest part of the backups was searched.")
	}
	if err != nil {
		lines = append(lines, "Note: "+err.Error())
	}
	return tools.Output{Text: strings.Join(lines, "\n"), Empty: len(hits) == 0 && err == nil}, nil
}

// fold converts text to lower case one character at a time, so the number of characters stays the
// same.
func fold(text string) string { return strings.Map(unicode.ToLower, text) }

// around is the number of characters shown on each side of a match in a long message.
const around = 100

// snippet returns a message on one line. It cuts a long message to the text around the query. If
// the message does not contain the query, snippet uses the given word instead.
func snippet(text, query, word string) string {
	runes := []rune(text)
	if len(runes) > 3*around {
		folded := fold(text)
		at := strings.Index(folded, query)
		if at < 0 {
			at, query = strings.Index(folded, word), word
		}
		at = utf8.RuneCountInString(folded[:max(at, 0)])
		start, end := max(0, at-around), min(len(runes), at+utf8.RuneCountInString(query)+around)
		text = string(runes[start:end])
		if start > 0 {
			text = "…" + text
		}
		if end < len(runes) {
			text += "…"
		}
	}
	return strings.Join(strings.Fields(text), " ")
}
