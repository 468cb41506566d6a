package session

import (
	"cmp"

	"marvin/actors/internal/conv"
	"marvin/messages"
)

// places returns the paths from which the conversation contains text: its directory, the
// directories that it is bound to, and the paths that its messages were read from.
func (k *State) places() []string {
	return append(append([]string{k.conversation.Dir}, k.conversation.PrivateDirs...), messages.Places(k.committed)...)
}

// needs returns what a model must accept in order to continue the conversation.
func (k *State) needs(config *conv.Setup) messages.NeedsShown {
	needs := messages.NeedsShown{Tokens: k.context.Used, Bound: config.PrivateDirs(k.places())}
	bytes := 0
	for _, message := range k.committed {
		needs.Pictures += len(message.Pictures) + len(message.Result.Pictures)
		bytes += len(message.Text) + len(message.Result.Text)
	}
	if needs.Tokens == 0 { // the conversation was resumed and has not sent a request yet
		needs.Tokens = bytes / bytesPerToken
	}
	return needs
}

// bytesPerToken is an approximate size, used if no tokens were counted.
const bytesPerToken = 4

// recordTyped records text that the user typed. A prompt to a sub-agent, or from another Marvin,
// was written by a model and does not count.
func (k *State) recordTyped(text string) {
	if policy := k.conversation.Policy; !policy.Agent && !policy.FromOtherMarvin {
		k.known.AddPrompt(text)
	}
}

// ownWords returns the part of a prompt that the user typed; "" if a model wrote the prompt.
func (k *State) ownWords(prompt messages.Prompt) string {
	if policy := k.conversation.Policy; policy.Agent || policy.FromOtherMarvin {
		return ""
	}
	return prompt.Typed()
}

// takeIn records the authors of a prompt. Hosts in text that the user typed count as named by the
// user. The conversation becomes tainted if the prompt contains text that others wrote.
func (k *State) takeIn(prompt messages.Prompt) {
	k.recordTyped(prompt.Typed())
	k.known.AddOwn(prompt.OwnFile())
	k.tainted = cmp.Or(k.tainted, prompt.Foreign())
	if prompt.Parts != nil && prompt.Parts.Ran != "" { // programs print text that others wrote
		k.tainted = cmp.Or(k.tainted, "the output of the user's commands")
	}
}
