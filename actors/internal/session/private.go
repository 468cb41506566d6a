package session

import (
	"cmp"

	"marvin/actors/internal/conv"
	"marvin/messages"
)

// places collects the paths of all possible sources of the conversation's text.
func (k *State) places() []string {
	return append(append([]string{k.conversation.Dir}, k.conversation.PrivateDirs...), messages.Places(k.committed)...)
}

// needs returns the requirements that a model must meet to continue the conversation.
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

// bytesPerToken is an estimate, used when no tokens were counted.
const bytesPerToken = 4

// recordTyped records the hosts in text that the user typed. It does nothing in conversations whose
// prompts come from a model.
func (k *State) recordTyped(text string) {
	if policy := k.conversation.Policy; !policy.Agent && !policy.FromOtherMarvin {
		k.known.AddPrompt(text)
	}
}

// ownWords returns the part of a prompt that the user typed, or "" if a model wrote the prompt.
func (k *State) ownWords(prompt messages.Prompt) string {
	if policy := k.conversation.Policy; policy.Agent || policy.FromOtherMarvin {
		return ""
	}
	return prompt.Typed()
}

// takeIn records the hosts that the user named in a prompt. If the prompt contains text written by
// others, takeIn marks the conversation as tainted.
func (k *State) takeIn(prompt messages.Prompt) {
	k.recordTyped(prompt.Typed())
	k.known.AddOwn(prompt.OwnFile())
	k.tainted = cmp.Or(k.tainted, prompt.Foreign())
	if prompt.Parts != nil && prompt.Parts.Ran != "" { // command output is untrusted
		k.tainted = cmp.Or(k.tainted, "the output of the user's commands")
	}
}
