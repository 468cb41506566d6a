package accounts

import (
	"fmt"
	"slices"
	"strings"

	"marvin/actors"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/providers"
)

// Descriptions of models, for users who choose a model.

// Note describes a model in a few words.
func (o ModelOffer) Note() string {
	var parts []string
	switch {
	case o.Price == nil:
	case *o.Price == (providers.Price{}):
		parts = append(parts, "free")
	default:
		parts = append(parts, fmt.Sprintf("$%g/$%g", o.Price.Input, o.Price.Output))
	}
	if o.Window > 0 {
		parts = append(parts, TokenCount(o.Window))
	}
	if o.Sees != nil && *o.Sees {
		parts = append(parts, "sees")
	}
	if o.Thinks != nil && *o.Thinks {
		parts = append(parts, "thinks")
	}
	return strings.Join(parts, " · ")
}

// Explain returns a multi-line description of a model.
func (o ModelOffer) Explain() string {
	var lines []string
	if o.Price != nil {
		price := fmt.Sprintf("price: $%g in, $%g out", o.Price.Input, o.Price.Output)
		if o.Price.Cached != nil {
			price += fmt.Sprintf(", $%g from the cache", *o.Price.Cached)
		}
		if o.Price.Written != nil {
			price += fmt.Sprintf(", $%g into it", *o.Price.Written)
		}
		lines = append(lines, price+", for a million tokens")
	} else {
		lines = append(lines, "price: unknown (see Prices in \"marvin help models\")")
	}
	window := "not known"
	if o.Window > 0 {
		window = TokenCount(o.Window) + " tokens"
	}
	lines = append(lines, "window: "+window+"  sees pictures: "+known(o.Sees)+"  takes tools: "+known(o.Tools))
	thinks := "thinks: " + known(o.Thinks)
	if len(o.Efforts) > 0 {
		thinks += " (" + EffortWords(o.Efforts) + ")"
	}
	if len(o.Roles) > 0 {
		thinks += "  roles: " + strings.Join(o.Roles, ", ")
	}
	return strings.Join(append(lines, thinks), "\n")
}

func known(is *bool) string {
	if is == nil {
		return "not known"
	}
	return KnownYes(is)
}

// answerRoom is the minimum number of tokens for the next prompt and its answer.
const answerRoom = 4096

// Unfit returns the known reasons why a model does not suit a conversation, or "" if there are
// none.
func (o ModelOffer) Unfit(needs messages.NeedsShown, rules []actors.PrivateRule) string {
	var lacks []string
	// The built-in assistant is local, so the rules in "private:" do not apply.
	if o.Provider != providers.Offline {
		if err := actors.MayTell(rules, actors.Choice{Provider: o.Provider, Model: o.Model}, needs.Bound); err != nil {
			var said []string
			for _, rule := range rules {
				if slices.Contains(needs.Bound, rule.Dir) {
					said = append(said, rule.Said)
				}
			}
			lacks = append(lacks, "must not see "+strings.Join(said, ", ")+" (private:)")
		}
	}
	if o.Wire == providers.BuiltIn {
		lacks = append(lacks, "understands only plain requests")
	}
	if blind := o.Wire == providers.BuiltIn || o.Sees != nil && !*o.Sees; blind && needs.Pictures > 0 {
		lacks = append(lacks, "does not see the "+pictures(needs.Pictures)+" of this conversation")
	}
	if o.Window > 0 && needs.Tokens+answerRoom > o.Window {
		lacks = append(lacks, fmt.Sprintf("its window of %s is too small for the %s tokens of this conversation", TokenCount(o.Window), TokenCount(needs.Tokens)))
	}
	if o.Tools != nil && !*o.Tools {
		lacks = append(lacks, "takes no tools")
	}
	return strings.Join(lacks, "; ")
}

func pictures(count int) string {
	if count == 1 {
		return "picture"
	}
	return fmt.Sprintf("%d pictures", count)
}

func KnownYes(known *bool) string {
	switch {
	case known == nil:
		return ""
	case *known:
		return "yes"
	}
	return "no"
}

func TokenCount(tokens int) string {
	switch {
	case tokens == 0:
		return ""
	case tokens < 1000:
		return fmt.Sprint(tokens)
	}
	return fmt.Sprintf("%dk", tokens/1000)
}

func EffortWords(efforts []providers.Effort) string {
	list := lists.Map(efforts, func(effort providers.Effort) string { return string(effort) })
	return strings.Join(list, " ")
}

// FoldedProviders returns a line that counts the providers omitted from a list.
func FoldedProviders(n int) string {
	if n == 1 {
		return "1 other"
	}
	return fmt.Sprintf("%d others", n)
}
