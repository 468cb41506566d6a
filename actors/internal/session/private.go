package session

import (
	"cmp"

	"marvin/actors/internal/conv"
	"marvin/messages"
)

// places are what the conversation holds words from: where it works, what is bound already,
// and what its messages were read from.
func (k *State) places() []string {
	return append(append([]string{k.conversation.Dir}, k.conversation.Bound...), messages.Places(k.committed)...)
}

// needs says what a model must accept in order to continue the conversation.
func (k *State) needs(config *conv.Setup) messages.NeedsShown {
	needs := messages.NeedsShown{Tokens: k.context.Used, Bound: config.Bound(k.places())}
	bytes := 0
	for _, message := range k.committed {
		needs.Pictures += len(message.Pictures) + len(message.Result.Pictures)
		bytes += len(message.Text) + len(message.Result.Text)
	}
	if needs.Tokens == 0 { // a resumed one before its first request
		needs.Tokens = bytes / bytesPerToken
	}
	return needs
}

// bytesPerToken is the approximate size of a token when nothing was counted.
const bytesPerToken = 4

// typed records text the user typed. Prompts of sub-agents and of other Marvins are a model's text.
func (k *State) typed(text string) {
	if policy := k.conversation.Policy; !policy.Agent && !policy.Delegated {
		k.known.AddPrompt(text)
	}
}

// ownWords are what the user typed of a prompt; "" if it is a model's.
func (k *State) ownWords(prompt messages.Prompt) string {
	if policy := k.conversation.Policy; policy.Agent || policy.Delegated {
		return ""
	}
	return prompt.Typed()
}

// takeIn records who wrote a prompt: what the user typed names hosts, and what others wrote,
// or what is private, counts as read.
func (k *State) takeIn(prompt messages.Prompt) {
	k.typed(prompt.Typed())
	k.known.AddOwn(prompt.OwnFile())
	k.tainted = cmp.Or(k.tainted, prompt.Foreign())
	if prompt.Parts != nil && prompt.Parts.Ran != "" { // programs print what others wrote
		k.tainted = cmp.Or(k.tainted, "the output of the user's commands")
	}
}
