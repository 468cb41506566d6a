# Completion of marvin for fish.
function __marvin_complete
    set -l token (commandline -ct)
    set -l found (env GO_FLAGS_COMPLETION=described (commandline -opc) $token 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
        return
    end
    # Nothing of its own: a file, also behind the = of a flag or a parameter.
    set -l parts (string split -m 1 -- = $token)
    if test (count $parts) -eq 2
        __fish_complete_path $parts[2] | string replace -r '^' -- "$parts[1]="
    else
        __fish_complete_path $token
    end
end
complete -c marvin -f -a '(__marvin_complete)'
