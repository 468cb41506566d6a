package main

import "fmt"

// The scripts ask the program itself, which go-flags answers when
// GO_FLAGS_COMPLETION is set.
var completionScripts = map[string]string{
	"bash": `_marvin() {
    local IFS=$'\n'
    COMPREPLY=($(GO_FLAGS_COMPLETION=1 "${COMP_WORDS[0]}" "${COMP_WORDS[@]:1:$COMP_CWORD}"))
}
complete -o default -F _marvin marvin
`,
	"zsh": `#compdef marvin
_marvin() {
    local -a found
    found=(${(f)"$(GO_FLAGS_COMPLETION=1 ${words[1]} ${words[2,$CURRENT]})"})
    compadd -a found || _files
}
compdef _marvin marvin
`,
	"fish": `complete -c marvin -a '(GO_FLAGS_COMPLETION=1 (commandline -opc)[1] (commandline -opc)[2..-1] (commandline -ct))'
`,
}

func completion(world World, shell string) int {
	script, ok := completionScripts[shell]
	if !ok {
		fmt.Fprintf(world.Stderr, "Error: there is no completion for %q; use bash, zsh or fish. Example: marvin completion bash >> ~/.bashrc\n", shell)
		return 1
	}
	fmt.Fprint(world.Stdout, script)
	return 0
}
