package tokens

import (
	"strings"
	"testing"

	"marvin/messages"
)

func BenchmarkCheckOf200kTokensAfterOneMessage(b *testing.B) {
	meter := new(Counter).MeterFor("openai", "gpt-5.1")
	question := conversation(b, 100_000)
	for meter.Count(question, 0) < 200_000 {
		question = conversation(b, 100_000+4*Bound(question)/3)
	}
	base := question.Messages
	for n := 0; b.Loop(); n++ {
		question.Messages = append(base[:len(base):len(base)], messages.Message{Role: messages.User, Text: strings.Repeat("more ", n%100)})
		meter.Count(question, 90_000)
	}
	b.ReportMetric(float64(meter.Count(question, 0)), "tokens")
}

// The first count of a conversation takes at most 250 ms.
func BenchmarkFirstCountOf1MB(b *testing.B) {
	question := conversation(b, 1<<20)
	b.SetBytes(1 << 20)
	for b.Loop() {
		new(Counter).MeterFor("openai", "gpt-5.1").Count(question, 0)
	}
}

func BenchmarkBoundOf1MB(b *testing.B) {
	question := conversation(b, 1<<20)
	meter := new(Counter).MeterFor("openai", "gpt-5.1")
	for b.Loop() {
		meter.Count(question, 1<<30)
	}
}
