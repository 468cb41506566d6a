package sessionlog

import (
	"fmt"
	"slices"

	"marvin/messages"
)

// noResult replaces a missing result. Marvin writes only whole rounds, so a result is missing only
// if lines were lost or another program wrote the file.
const noResult = "[The result is missing from the file of this conversation, so it is unknown whether the call was executed.]"

// repair returns the conversation with exactly one result for each call, in order, because
// providers would refuse anything else. It drops results without a call. For each call without a
// result, it also returns the name of the tool.
func repair(all []messages.Message) (mended []messages.Message, lost []string) {
	for at := 0; at < len(all); {
		message := all[at]
		if at++; message.Role == messages.Tool {
			continue // a result without a call
		}
		mended = append(mended, message)
		end := at
		for len(message.Calls) > 0 && end < len(all) && all[end].Role == messages.Tool {
			end++
		}
		results := all[at:end]
		for _, call := range message.Calls {
			found := slices.IndexFunc(results, func(message messages.Message) bool { return message.Result.Call == call.ID })
			if found >= 0 {
				mended = append(mended, results[found])
				continue
			}
			lost = append(lost, call.Name)
			mended = append(mended, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: call.ID, Name: call.Name, Status: messages.Interrupted, Text: noResult}})
		}
		at = end
	}
	return mended, lost
}

// makeWhole drops messages with unknown roles and repairs the results of tool calls.
func (c *Content) makeWhole() {
	known := []messages.Role{messages.System, messages.User, messages.Assistant, messages.Tool}
	for i, message := range c.Messages {
		if !slices.Contains(known, message.Role) {
			c.Problems = append(c.Problems, fmt.Sprintf("message %d is left out, because its role %q is unknown", i+1, message.Role))
		}
	}
	c.Messages = slices.DeleteFunc(c.Messages, func(message messages.Message) bool { return !slices.Contains(known, message.Role) })
	var lost []string
	c.Messages, lost = repair(c.Messages)
	for _, name := range lost {
		c.Problems = append(c.Problems, fmt.Sprintf("a call of %s has no result; Marvin did not run it again", name))
	}
}
