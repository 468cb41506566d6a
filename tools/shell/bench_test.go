package shell

import (
	"bytes"
	"testing"

	"marvin/tools/internal/proc"
)

// The benchmark measures the work between the end of a command with 10 MB of output and its result.
// The budget for all work before the next request to the model is 1.2 ms.
func BenchmarkTheResultOfTenMegabytes(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		env := keeping(b)
		spool := env.NewSpool("run_command", "cat log")
		result, err := proc.Run(b.Context(), proc.Command{
			Shell: "seq -f 'line %07.0f of a log that is ten megabytes long' 220000", Dir: env.Dir, Environ: env.Environ, Combined: spool,
		})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		text := report(result, 0, &outputSink{spool: spool})
		b.StopTimer()
		if !bytes.Contains([]byte(text), []byte("[all 220000 lines (10")) {
			b.Fatalf("%.300s", text)
		}
		b.StartTimer()
	}
}
