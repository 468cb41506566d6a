# Completion of marvin for bash (3.2 and newer).
_marvin() {
    local IFS=$'\n' last word before='' i
    local -a words
    words=()
    # bash parts words at = and :, which belong to --flag=value, key=value and models.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        last=$((${#words[@]} - 1))
        if ((last >= 0)) && [[ $word == [=:]* || $before == *[=:] ]]; then
            words[last]+=$word
        else
            words+=("$word")
        fi
        before=$word
    done
    COMPREPLY=($(GO_FLAGS_COMPLETION=1 "${COMP_WORDS[0]/#\~/$HOME}" "${words[@]}" 2>/dev/null))
    # What stands in front of the last = or : is already there.
    word=${words[${#words[@]} - 1]}
    if [[ $word == *[=:]* ]]; then
        before=${word%"${word##*[=:]}"}
        for i in "${!COMPREPLY[@]}"; do
            COMPREPLY[i]=${COMPREPLY[i]#"$before"}
        done
    fi
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o default -F _marvin marvin
