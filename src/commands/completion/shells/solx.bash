# Completion of solx for bash. It calls the program at every Tab, so that it stays valid after updates.

_solx() {
    local IFS=$' \t\n' program=solx kind='' from='' end='' line
    case $1 in
        */solx) program=${1/#\~/$HOME} ;;
    esac
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then
            read -r kind from end <<< "$line"
        else
            COMPREPLY+=("$line")
        fi
    done <<< "$(command "$program" __complete bash "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2> /dev/null < /dev/null)"
    # Older versions of bash lack some of these options.
    if [[ $kind == files && $2 == @* ]]; then
        _solx_files_at "${2#@}"
    elif [[ $kind == files ]]; then
        compopt -o default 2> /dev/null
    else
        compopt -o nosort 2> /dev/null
        [[ $end == open ]] && compopt -o nospace 2> /dev/null
    fi
    return 0
}

# Completes @file arguments; the file completion of bash stops at the @.
_solx_files_at() {
    local name line
    while IFS= read -r name; do
        [[ -n $name ]] || continue
        printf -v line '@%q' "$name"
        [[ -d $name ]] && line+=/
        COMPREPLY+=("$line")
    done <<< "$(compgen -f -- "${1//\\/}")"
    [[ ${COMPREPLY[0]:-} == */ ]] && compopt -o nospace 2> /dev/null
}

complete -F _solx solx
