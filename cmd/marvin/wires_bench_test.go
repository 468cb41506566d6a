package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

func BenchmarkStreamWires(b *testing.B) {
	tokens := strings.Split(strings.Repeat("token |", 20_000), "|")
	for _, wire := range []struct{ name, base, path string }{
		{"chat", "/v1", "/chat/completions"}, {"responses", "/v1", "/responses"}, {"anthropic", "/v1", "/messages"}, {"ollama", "", "/api/chat"},
	} {
		b.Run(wire.name, func(b *testing.B) {
			c := compete(b, func(modeltest.Request) modeltest.Step { return modeltest.Text(tokens...) })
			root := strings.TrimSuffix(c.url, "/v1/chat/completions")
			c.url = root + wire.base + wire.path
			c.environ = []string{"MINIMAL_WIRE=" + wire.name, "MINIMAL_URL=" + c.url, "LLM_PROVIDER=bench"}
			c.provider = "bench"
			settings := filepath.Join(c.dir, ".config", "marvin", "config.yaml")
			if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
				b.Fatal(err)
			}
			text := fmt.Sprintf("providers: {bench: {wire: %s, url: %q, model: bench, models: {bench: {window: 200000}}}}\n", wire.name, root+wire.base)
			if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				all := c.contest(b, 5, "talk", c.marvin, c.minimal, c.lean)
				marvin, minimal, lean := all[0], all[1], all[2]
				report(b, map[string]float64{
					"marvin-cpu-ms": ms(marvin.cpu), "minimal-cpu-ms": ms(minimal.cpu), "lean-cpu-ms": ms(lean.cpu),
					"x-cpu": float64(marvin.cpu) / float64(minimal.cpu), "x-lean": float64(marvin.cpu) / float64(lean.cpu),
				})
			}
		})
	}
}
